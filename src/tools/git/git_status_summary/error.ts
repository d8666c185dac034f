/** The codes that are `git_status_summary`'s own (seed 000 §4.3), what each one means, and how its errors are made. */
import { failure, type ToolRefusal } from "../../core/result.ts";

export const GIT_STATUS_SUMMARY_CODES = {
  INVALID_ARGUMENT: "`cwd` is empty, no text, or not relative to the workspace.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  NOT_GIT_REPOSITORY: "`cwd` is not under git, `.git` cannot be resolved, or there is no working tree.",
  UNSAFE_REPOSITORY:
    "`.git` or `core.worktree` was planted and leads to somebody else's repository or folder; `details.at` names it.",
  INTERNAL: "Anything unexpected, such as git missing.",
} as const;

/** What the tool answers where it cannot give a status. */
export type GitStatusSummaryError = ToolRefusal;

/** A surprise of git or of its start, in words. */
export function toInternalError(
  message: string,
  extras: { readonly retriable?: boolean; readonly details?: Readonly<Record<string, unknown>> } = {},
): GitStatusSummaryError {
  return failure("INTERNAL", message, extras);
}
