/** The input and output of `git_diff`. */
import type { z } from "zod";
import type { gitDiffInput, gitDiffOutput } from "./validator.ts";

export type GitDiffInput = z.input<typeof gitDiffInput>;
export type GitDiffOutput = z.output<typeof gitDiffOutput>;
