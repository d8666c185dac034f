/** The codes that are `exec_command`'s own (seed 001 §4.3), and what each one means. */
export const EXEC_COMMAND_CODES = {
  INVALID_ARGUMENT:
    "`cwd` is empty or no path, `command` is empty or holds something that is no text, or a number is out of range.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder.",
  COMMAND_NOT_FOUND: '`shell_mode` is `"direct"` and the program is not on PATH.',
  INTERNAL: "Anything unexpected.",
} as const;
