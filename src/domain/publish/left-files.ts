/** Tells the files that a check left, and that nobody has touched since, from what an agent or a person made. */

export interface FileState {
  /** Git's mode, such as 100644. */
  readonly mode: string;
  /** The blob, as git names it. */
  readonly sha: string;
}

/** A file beside what is staged or committed. */
export interface LeftFile {
  readonly path: string;
  /** As the staged tree has it; null where it has none. */
  readonly was: FileState | null;
  /** As it lies in the worktree; null where it is gone. */
  readonly now: FileState | null;
}

/** A check's name, and what it left. */
export interface CheckLeft {
  readonly check: string;
  readonly files: readonly LeftFile[];
}

/** What lies there now and did not lie there like that before. */
export function newlyLeft(before: readonly LeftFile[], now: readonly LeftFile[]): readonly LeftFile[] {
  const known = new Map(before.map((file) => [file.path, file]));
  return now.filter((file) => !isSameFile(known.get(file.path), file));
}

/**
 * Paths of `files` that are exactly as the last check that changed them left them, each with that check's name. The
 * side before counts too: once somebody's own version was committed, a check's old one is a change like any other.
 */
export function stillLeft(
  files: readonly LeftFile[],
  checks: readonly CheckLeft[],
): ReadonlyMap<string, string> {
  const left = new Map(
    checks.flatMap(({ check, files }) => files.map((file) => [file.path, { check, file }])),
  );
  return new Map(
    files.flatMap((file) => {
      const found = left.get(file.path);
      return found !== undefined && isSameFile(found.file, file) ? [[file.path, found.check]] : [];
    }),
  );
}

function isSameFile(one: LeftFile | undefined, other: LeftFile): boolean {
  return one !== undefined && isSame(one.was, other.was) && isSame(one.now, other.now);
}

function isSame(one: FileState | null, other: FileState | null): boolean {
  return one?.mode === other?.mode && one?.sha === other?.sha;
}
