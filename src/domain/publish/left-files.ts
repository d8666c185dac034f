/** Tells files that a check or the setup left from later changes of an agent or a person. */
import { z } from "zod";
import type { Entity } from "../entity.ts";

const fileStateSchema = z.object({
  /** Git's mode, such as 100644. */
  mode: z.string(),
  /** The blob, as git names it. */
  sha: z.string(),
});
type FileState = Entity<typeof fileStateSchema>;

/** A file beside the staged or committed one. */
export const leftFileSchema = z.object({
  path: z.string(),
  /** In the staged tree; null if it has none. */
  was: fileStateSchema.nullable(),
  /** In the worktree; null if the file is gone. */
  now: fileStateSchema.nullable(),
});
export type LeftFile = Entity<typeof leftFileSchema>;

/** A check's name, and the files that it left. */
export interface CheckLeft {
  readonly check: string;
  readonly files: readonly LeftFile[];
}

/** The files that are new or changed since `before`. */
export function newlyLeft(before: readonly LeftFile[], now: readonly LeftFile[]): readonly LeftFile[] {
  const known = new Map(before.map((file) => [file.path, file]));
  return now.filter((file) => !isSameFile(known.get(file.path), file));
}

/**
 * Paths of `files` that are unchanged since the last check that changed them, each with that check's name. The
 * earlier state counts too: after a person's version was committed, a check's old version is an ordinary change.
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

/** The paths of a change that setup commands had changed before. */
export interface SetupPaths {
  /** Unchanged since the setup. */
  readonly untouched: ReadonlySet<string>;
  /** Changed after the setup. */
  readonly changed: ReadonlySet<string>;
}

/**
 * If `left` has several entries for one path, the last one counts. An entry is outdated once a newer version was
 * committed.
 */
export function setupPaths(files: readonly LeftFile[], left: readonly LeftFile[]): SetupPaths {
  const known = new Map(left.map((file) => [file.path, file]));
  const findingFor = (isUntouched: boolean) =>
    new Set(
      files.flatMap((file) => {
        const setUp = known.get(file.path);
        if (setUp === undefined || !isSame(setUp.was, file.was)) return [];
        return isSame(setUp.now, file.now) === isUntouched ? [file.path] : [];
      }),
    );
  return { untouched: findingFor(true), changed: findingFor(false) };
}

function isSameFile(one: LeftFile | undefined, other: LeftFile): boolean {
  return one !== undefined && isSame(one.was, other.was) && isSame(one.now, other.now);
}

function isSame(one: FileState | null, other: FileState | null): boolean {
  return one?.mode === other?.mode && one?.sha === other?.sha;
}
