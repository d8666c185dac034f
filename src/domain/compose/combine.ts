/** Joins the changes of several attempts against one base, path by path. The order of the attempts does not matter. */
import type { FileSide, PathChange } from "./taken-changes.ts";

interface Combined {
  /** What only one of them changed, or all of them alike. */
  readonly agreed: readonly PathChange[];
  /** Paths that several changed, each in another way. */
  readonly contested: readonly string[];
}

/** Each list holds a path once. */
export function combine(lists: readonly (readonly PathChange[])[]): Combined {
  const byPath = Map.groupBy(lists.flat(), ({ path }) => path);
  const agreed: PathChange[] = [];
  const contested: string[] = [];
  for (const [path, [first, ...others]] of byPath)
    if (first !== undefined && others.every(({ after }) => isSame(first.after, after))) agreed.push(first);
    else contested.push(path);
  return { agreed, contested };
}

function isSame(one: FileSide | null, other: FileSide | null): boolean {
  return one?.mode === other?.mode && one?.sha === other?.sha;
}

/** Files in whose place another change has a folder: a tree cannot hold both. */
export function filesAsFolders(changes: readonly PathChange[]): readonly string[] {
  const files = new Set(changes.filter(({ after }) => after !== null).map(({ path }) => path));
  const found = [...files].flatMap((path) => foldersAbove(path).filter((folder) => files.has(folder)));
  return [...new Set(found)].sort();
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}
