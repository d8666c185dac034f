/** Checks the input of `git_status_summary` (seed 000 §4.1, §4.2). */
import { z } from "zod";
import { filledText } from "../../core/text.ts";

export const gitStatusSummaryInput = z.strictObject({
  cwd: filledText().optional(),
});

export const gitStatusSummaryOutput = z.strictObject({
  repository_root: z.string().describe("Absolute root of the repository."),
  branch: z.string().nullable().describe("Null if HEAD is detached."),
  raw: z.string().describe("The whole output of git status --porcelain=v1 --branch, unmodified."),
});
