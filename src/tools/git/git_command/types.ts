/** The input and output of `git_command` (seed 002 Tool Schema). */
import type { z } from "zod";
import type { gitCommandInput, gitCommandOutput } from "./validator.ts";

export type GitCommandInput = z.input<typeof gitCommandInput>;
export type GitCommandOutput = z.output<typeof gitCommandOutput>;

/** The options beside the subcommand and its arguments. */
export type GitCommandOptions = Omit<GitCommandInput, "subcommand" | "args">;
