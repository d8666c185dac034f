/** Remembers which pids this process gave to children of its own, so that none is searched as the descendant of another. */

/** A number is not given out again sooner, even where programs are started as fast as they can be. */
const REMEMBERED_MS = 1000;
/** So many are looked through for old ones, and again when twice as many as were left have come. */
const SWEPT_FROM = 256;

/** By pid: when it ended, or null. */
const children = new Map<number, number | null>();
let sweptFrom = SWEPT_FROM;

export function rememberChild(pid: number, ended: Promise<unknown>): void {
  if (children.size >= sweptFrom) forgetOld();
  children.set(pid, null);
  void ended.then(() => children.set(pid, performance.now()));
}

/** Whether it is, or was less than a second before `now` (of `performance`), a child of this process itself; after that the number may be anybody's. */
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
