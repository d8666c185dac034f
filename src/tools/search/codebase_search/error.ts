/** The codes that are `codebase_search`'s own, and what each one means. */
export const CODEBASE_SEARCH_CODES = {
  INVALID_ARGUMENT: "An argument has a wrong type or is out of range, or `path` is no path.",
  INVALID_REGEX: "`query` is no regular expression that can be searched for; `details.at` says where.",
  NOT_FOUND: "`path` does not exist.",
  NOT_FILE: "`path` is a pipe or a device.",
  GIT_DIRECTORY: "`path` belongs to git itself.",
  CANCELED: "The caller stopped the call.",
} as const;
