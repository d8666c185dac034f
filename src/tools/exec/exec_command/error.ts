/** The own codes of `exec_command` (seed 001 §4.3), with their meanings. */
export const EXEC_COMMAND_CODES = {
  INVALID_ARGUMENT:
    "`cwd` is empty or no path; `command` is empty or holds something that is no text. Or a number is out of range. Or the command is longer than the system takes.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  COMMAND_NOT_FOUND:
    '`shell_mode` is `"direct"` and the program is not on PATH, or its interpreter does not exist.',
  CANCELED: "The caller stopped the call; every process of the command was stopped.",
  INTERNAL: "Anything unexpected, such as a file that is no program.",
} as const;
