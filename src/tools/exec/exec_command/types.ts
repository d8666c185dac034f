/** The input and output of `exec_command` (seed 001 §4.1, §4.2). */
import type { z } from "zod";
import type { execCommandInput, execCommandOutput } from "./validator.ts";

export type ExecCommandInput = z.input<typeof execCommandInput>;
export type ExecCommandOutput = z.output<typeof execCommandOutput>;

/** The options beside `cwd` and `command`. */
export type ExecCommandOptions = Omit<ExecCommandInput, "cwd" | "command">;
