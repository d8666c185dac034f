/** Checks the input of `git_command` (seed 002 Tool Schema), and defines its output. */
import { z } from "zod";
import { filledText } from "../../core/text.ts";
import { parsedOutput } from "../formats/machine-form.ts";

export const gitCommandInput = z.strictObject({
  subcommand: filledText(),
  args: z.array(z.string()).default([]),
  allow_destructive: z.boolean().default(false),
  cwd: filledText().optional(),
});

export const gitCommandOutput = z.strictObject({
  output: z.string().describe("What git printed, at most 200,000 characters."),
  stderr: z.string(),
  exit_code: z.int().describe("124 if the time limit ended it."),
  truncated: z.boolean().describe("Output or stderr was longer than what is answered."),
  parsed: parsedOutput
    .nullable()
    .describe("Of status, diff, log, branch, blame and stash list if they succeeded; else null."),
});
