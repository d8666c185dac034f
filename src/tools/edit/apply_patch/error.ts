/** The codes that are `apply_patch`'s own, and what each one means. */
export const APPLY_PATCH_CODES = {
  INVALID_ARGUMENT: "An argument is wrong, or the patch names a path that is none.",
  INVALID_PATCH: "The text is no patch; `details.patch_line` says where.",
  UNSUPPORTED_CHANGE: "It changes a binary file, a symbolic link, a submodule, or is the diff of a merge.",
  PATCH_FAILED:
    "A hunk does not fit, or fits in several places, or a file holds more than what deletes it; `details` name the file, the hunk, its line in the patch and lines of the file.",
  NOT_DIRECTORY: "`cwd` does not exist or is no folder, or a path leads through a file.",
  NOT_FOUND: "A file that it changes, renames or deletes does not exist.",
  ALREADY_EXISTS: "A file that it makes exists.",
  NOT_FILE: "A path of it is a folder in which something would stay, a pipe or a device.",
  SIZE_LIMIT_EXCEEDED: "A file is larger than 16 MiB.",
  GIT_DIRECTORY: "A path of it belongs to git itself.",
  CONFLICT: "A file was changed by somebody else at the same time.",
  FILE_SYSTEM_ERROR:
    "A file could not be read or written. What was written before is taken back, or named in `details.left`.",
} as const;
