/** The input and output of `git_log`. */
import type { z } from "zod";
import type { gitLogInput, gitLogOutput } from "./validator.ts";

export type GitLogInput = z.input<typeof gitLogInput>;
export type GitLogOutput = z.output<typeof gitLogOutput>;
