/** The codes that are `write_file`'s own, and what each one means. */
export const WRITE_FILE_CODES = {
  INVALID_ARGUMENT: "`path` is no path of a file, or `content` is too long or no text.",
  ALREADY_EXISTS: '`mode` is `"create"` and something is there.',
  NOT_FOUND: '`mode` is `"replace"` and nothing is there.',
  NOT_FILE: "A folder, a pipe, a socket or a device is there.",
  NOT_DIRECTORY: "A part of the path is no folder.",
  GIT_DIRECTORY: "It belongs to git itself (`.git` and what lies in it).",
  FILE_SYSTEM_ERROR: "The system does not let it be written, or the disk is full.",
} as const;
