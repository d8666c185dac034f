/** Recognises local failures in git's messages: a filter, a closed folder, trouble that may pass. */

/** Files could not be read or written through a filter; `filter` is its name in the attributes (`lfs`). */
export interface FilterFailed {
  readonly kind: "filter_failed";
  readonly filter: string;
  readonly message: string;
}

/** The failure of a user's filter, such as a git-lfs that is not installed. Null if git ended for another reason. */
export function filterFailure(error: {
  readonly stderr: string;
  readonly message: string;
}): FilterFailed | null {
  const named = /(?:clean|smudge) filter '?([^'\s]+)'? failed/.exec(error.stderr)?.[1];
  if (named !== undefined) return { kind: "filter_failed", filter: named, message: error.message };
  const isLfs = /git-lfs.*(?:not found|No such file)|external filter '?git-lfs/.test(error.stderr);
  return isLfs ? { kind: "filter_failed", filter: "lfs", message: error.message } : null;
}

/**
 * The folders that git could not read. Nothing in them is listed as untracked or staged, and only this warning says
 * so. Git cuts off the end of a long warning.
 */
export function closedFolders(stderr: string): string[] {
  return [...stderr.matchAll(/^warning: could not open directory '(.+?)(?:\/?': .*)?$/gm)].flatMap(
    (match) => match[1] ?? [],
  );
}

interface Fault {
  readonly kind: string;
  readonly message: string;
  /** The exit code of a git call; null if a signal ended it or it never started. */
  readonly exitCode?: number | null;
}

/** System messages about a disk, a permission or a resource; the repository may be intact. */
const OF_THE_SYSTEM =
  /Permission denied|Read-only file system|Operation not permitted|Input\/output error|Too many open files|Cannot allocate memory|out of memory|Resource temporarily unavailable|cannot fork/i;

const LOST: ReadonlySet<string> = new Set(["worktree_missing", "snapshot_unproven"]);

/** Whether trying again can help. If git itself failed and named no trouble of the system, it cannot. */
export function mayPass({ kind, message, exitCode }: Fault): boolean {
  if (kind !== "git_failed") return !LOST.has(kind);
  return exitCode === null || OF_THE_SYSTEM.test(message);
}
