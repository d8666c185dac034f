/** The codes that are `git_status_summary`'s own (seed 000 §4.3), and what each one means. */
export const GIT_STATUS_SUMMARY_CODES = {
  INVALID_ARGUMENT: "`cwd` is empty, no text, or not relative to the workspace.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  NOT_GIT_REPOSITORY: "`cwd` is not under git, or `.git` cannot be resolved.",
  INTERNAL: "Anything unexpected, such as git missing.",
} as const;
