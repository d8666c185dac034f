/** Remembers which pids this process gave to children of its own, so that none is searched as the descendant of another. */

/** A number is not given out again sooner, even where programs are started as fast as they can be. */
const REMEMBERED_MS = 1000;
/** So many are looked through for old ones now and then. */
const SWEPT_FROM = 256;

/** By pid: when it ended, or null. */
const children = new Map<number, number | null>();

export function rememberChild(pid: number, ended: Promise<unknown>): void {
  if (children.size >= SWEPT_FROM) forgetOld();
  children.set(pid, null);
  void ended.then(() => children.set(pid, performance.now()));
}

/** Whether it is, or was a moment ago, a child of this process itself. */
export function isOwnChild(pid: number): boolean {
  return children.has(pid);
}

function forgetOld(): void {
  const now = performance.now();
  for (const [pid, endedAt] of children)
    if (endedAt !== null && now - endedAt > REMEMBERED_MS) children.delete(pid);
}
