/** Finds the changes of an attempt that a path names: a file, a folder with all in it, or `.` for everything. */

/** A file on one side of a change, as git names it. */
export interface FileSide {
  /** Such as `100644`. */
  readonly mode: string;
  readonly sha: string;
}

/** What becomes of one path. */
export interface PathChange {
  readonly path: string;
  /** Null if there was no file. */
  readonly before: FileSide | null;
  /** Null if there is none any more. */
  readonly after: FileSide | null;
}

/** A changed file, as a diff that finds renames tells it. */
export interface FileChange {
  readonly path: string;
  /** The path before a rename or copy, else null. */
  readonly previousPath: string | null;
  readonly status: string;
  readonly previousMode: string;
  readonly mode: string;
  readonly previousSha: string;
  readonly sha: string;
}

/** Stands for all that an attempt changed. */
export const EVERYTHING = ".";

/** The path as git writes it. Null if it leads out of the repository, or names nothing. */
export function asGitPath(given: string): string | null {
  if (given === "" || given.includes("\0") || given.startsWith("/")) return null;
  const parts = given.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return null;
  return parts.length === 0 ? EVERYTHING : parts.join("/");
}

/** A rename is one change: both of its names stand for it. */
export function isNamedBy(change: FileChange, path: string): boolean {
  if (path === EVERYTHING) return true;
  const isBelow = (name: string) => name === path || name.startsWith(`${path}/`);
  return isBelow(change.path) || (change.status === "renamed" && isBelow(change.previousPath ?? ""));
}

/** The same path by path. A rename deletes a file and adds one. */
export function pathChanges(change: FileChange): readonly PathChange[] {
  const { path, previousPath, status } = change;
  const before = sideOf(change.previousMode, change.previousSha);
  const after = sideOf(change.mode, change.sha);
  if (previousPath === null) return [{ path, before, after }];
  const added = { path, before: null, after };
  return status === "renamed" ? [{ path: previousPath, before, after: null }, added] : [added];
}

function sideOf(mode: string, sha: string): FileSide | null {
  return /^0+$/.test(mode) ? null : { mode, sha };
}

/** A submodule, whose files are in a repository of their own. */
export function isSubmodule({ mode, previousMode }: FileChange): boolean {
  return mode === "160000" || previousMode === "160000";
}

/** Git's output was read as UTF-8, and this name is not valid UTF-8: it cannot be handed back to git. */
export function hasOddName({ path, previousPath }: FileChange): boolean {
  return `${path}${previousPath ?? ""}`.includes("\ufffd");
}
