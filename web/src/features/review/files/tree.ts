/** Orders the files of a patch by their folders, and lays them out so. */
import type { DiffFile } from "@contract/endpoints/attempts.ts";

export type TreeRow =
  | { readonly kind: "folder"; readonly path: string; readonly isFolded: boolean }
  | { readonly kind: "file"; readonly file: DiffFile; readonly name: string };

/** The files of a folder come together, before those of the folders within it. */
export function byFolder(files: readonly DiffFile[]): readonly DiffFile[] {
  const key = ({ path }: DiffFile) => {
    const slash = path.lastIndexOf("/");
    return slash === -1
      ? `\0${path}`
      : `${path.slice(0, slash).replaceAll("/", "\u0001")}\0${path.slice(slash + 1)}`;
  };
  const keyed = files.map((file) => ({ file, key: key(file) }));
  return keyed
    .toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ file }) => file);
}

export function treeRows(
  files: readonly DiffFile[],
  { folded, filter }: { readonly folded: ReadonlySet<string>; readonly filter: string },
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const wanted = filter.trim().toLowerCase();
  let folder: string | null = null;
  for (const file of files) {
    if (wanted !== "" && !file.path.toLowerCase().includes(wanted)) continue;
    const slash = file.path.lastIndexOf("/");
    const own = slash === -1 ? "" : file.path.slice(0, slash);
    if (own !== folder) {
      folder = own;
      if (own !== "") rows.push({ kind: "folder", path: own, isFolded: folded.has(own) });
    }
    if (!folded.has(own)) rows.push({ kind: "file", file, name: file.path.slice(slash + 1) });
  }
  return rows;
}
