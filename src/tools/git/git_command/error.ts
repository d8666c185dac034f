/** The own codes of `git_command`, with their meanings. */
export const GIT_COMMAND_CODES = {
  INVALID_ARGUMENT: "`subcommand` is missing or no text, `args` is no list of texts, or `cwd` is no path.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  SUBCOMMAND_NOT_ALLOWED: "It is none of the subcommands that are allowed.",
  OPTION_NOT_ALLOWED: "An argument is unknown, shortened, or would run a program or write a file.",
  DESTRUCTIVE_BLOCKED: "The call would destroy work; `allow_destructive: true` lets it run.",
  OUTSIDE_WORKSPACE: "An argument leads out of the workspace.",
  GIT_DIRECTORY: "Something would be made or moved in a folder of git's own, through a link or by its name.",
  UNSAFE_URL:
    "An address is of a kind that is not allowed, or leads to a repository here that was not granted.",
  READ_ONLY: "The call would change the repository, and only reading is allowed here.",
  POLICY_DENIED: "The tool is not allowed, or the person who was asked said no.",
  UNSAFE_REPOSITORY:
    "The repository names a program that the call would run, or is not the workspace's own. `details.at` says what to look at.",
  INTERNAL: "Anything unexpected, such as git missing.",
} as const;
