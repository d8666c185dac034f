/** Remembers the pids of this process's own children, so that none is searched as the descendant of another. */

/** A pid is not assigned again sooner, even if programs start as fast as possible. */
const REMEMBERED_MS = 1000;
/** At this size old entries are removed, and again at twice the remaining size. */
const SWEPT_FROM = 256;

/** By pid: when it ended, or null. */
const children = new Map<number, number | null>();
let sweptFrom = SWEPT_FROM;

export function rememberChild(pid: number, ended: Promise<unknown>): void {
  if (children.size >= sweptFrom) forgetOld();
  children.set(pid, null);
  void ended.then(() => children.set(pid, performance.now()));
}

/**
 * Whether the pid is a child of this process, or was one less than a second before `now` (of `performance`). After
 * that another process may have the number.
 */
export function isOwnChild(pid: number, now: number): boolean {
  const endedAt = children.get(pid);
  return endedAt !== undefined && !isOld(endedAt, now);
}

function forgetOld(): void {
  const now = performance.now();
  for (const [pid, endedAt] of children) if (isOld(endedAt, now)) children.delete(pid);
  sweptFrom = Math.max(SWEPT_FROM, 2 * children.size);
}

function isOld(endedAt: number | null, now: number): boolean {
  return endedAt !== null && now - endedAt > REMEMBERED_MS;
}
