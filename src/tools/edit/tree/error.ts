/** The codes that are `tree`'s own, and what each one means. */
export const TREE_CODES = {
  INVALID_ARGUMENT: "`path` is no path, or a number is out of range.",
  NOT_DIRECTORY: "`path` does not exist or is no folder.",
} as const;
