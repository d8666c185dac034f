/** Recognises that a filter of the user's configuration failed, such as a git-lfs that is not installed. */

/** Files could not be read or written through a filter; `filter` is its name in the attributes (`lfs`). */
export interface FilterFailed {
  readonly kind: "filter_failed";
  readonly filter: string;
  readonly message: string;
}

/** The failure, or null where git ended for another reason. */
export function filterFailure(error: {
  readonly stderr: string;
  readonly message: string;
}): FilterFailed | null {
  const named = /(?:clean|smudge) filter '?([^'\s]+)'? failed/.exec(error.stderr)?.[1];
  if (named !== undefined) return { kind: "filter_failed", filter: named, message: error.message };
  const isLfs = /git-lfs.*(?:not found|No such file)|external filter '?git-lfs/.test(error.stderr);
  return isLfs ? { kind: "filter_failed", filter: "lfs", message: error.message } : null;
}
