/** The codes that are `git_diff`'s own, and what each one means. */
export const GIT_DIFF_CODES = {
  INVALID_ARGUMENT: "An argument is of the wrong kind, or `head` comes without `base` or with `staged`.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  NOT_GIT_REPOSITORY: "`cwd` is not under git.",
  UNKNOWN_REVISION: "`base` or `head` names nothing in this repository.",
  OUTSIDE_WORKSPACE: "A path leads out of the workspace.",
  UNSAFE_REPOSITORY:
    "The repository names a program that the call would run, or is not the workspace's own; `details.at` says what to look at.",
  INTERNAL: "Anything unexpected, such as git missing.",
} as const;
