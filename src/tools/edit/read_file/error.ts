/** The codes that are `read_file`'s own, and what each one means. */
export const READ_FILE_CODES = {
  INVALID_ARGUMENT: "`path` is no path, or a number is out of range.",
  NOT_FOUND: "Nothing is there.",
  NOT_FILE: "It is a folder, a pipe, a socket or a device.",
  BINARY_NOT_SUPPORTED: "There is a NUL byte in its first 8 KiB.",
  FILE_SYSTEM_ERROR: "The system does not let it be read.",
  CANCELED: "The caller stopped the call.",
} as const;
