/** The input, output and codes of `git_status_summary` (seed 000 §4.1, §4.2, §4.3). */
import type { z } from "zod";
import type { GIT_STATUS_SUMMARY_CODES } from "./error.ts";
import type { gitStatusSummaryInput, gitStatusSummaryOutput } from "./validator.ts";

export type GitStatusSummaryInput = z.input<typeof gitStatusSummaryInput>;
export type GitStatusSummaryOutput = z.output<typeof gitStatusSummaryOutput>;
export type GitStatusSummaryErrorCode = keyof typeof GIT_STATUS_SUMMARY_CODES;
