/** The own codes of `git_status_summary` (seed 000 §4.3), with their meanings; makes its errors. */
import { failure, type ToolRefusal } from "../../core/result.ts";

export const GIT_STATUS_SUMMARY_CODES = {
  INVALID_ARGUMENT: "`cwd` is empty, no text, or not relative to the workspace.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  NOT_GIT_REPOSITORY: "`cwd` is not under git, `.git` cannot be resolved, or there is no working tree.",
  UNSAFE_REPOSITORY:
    "`.git` or `core.worktree` was planted and leads to another repository or folder; `details.at` names it.",
  INTERNAL: "Anything unexpected, such as git missing.",
} as const;

/** The answer if the tool cannot give a status. */
export type GitStatusSummaryError = ToolRefusal;

/** Describes an unexpected failure of git or of its start. */
export function toInternalError(
  message: string,
  extras: { readonly retriable?: boolean; readonly details?: Readonly<Record<string, unknown>> } = {},
): GitStatusSummaryError {
  return failure("INTERNAL", message, extras);
}
