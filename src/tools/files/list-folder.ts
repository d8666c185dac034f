/** Lists one folder of the workspace, without ever following a link. */
import { closeSync, type Dirent, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { openInside } from "../../utils/files/open-inside.ts";

export interface FolderEntry {
  readonly name: string;
  readonly kind: "directory" | "file" | "symlink" | "other";
  /** Reads more about the entry; null if it is gone or cannot be read. Call it before the visit ends. */
  details(): { readonly size: number; readonly target: string | null } | null;
}

/** Folders, files, links, the rest; each in the order of code units. */
const ORDER = ["directory", "file", "symlink", "other"] as const;

/**
 * Opens a folder (real absolute path in the workspace) and hands its sorted entries to `visit`. Null if it cannot be
 * opened, or if a link has replaced it since it was judged.
 */
export function listFolder<T>(
  root: string,
  path: string,
  visit: (entries: readonly FolderEntry[]) => T,
): T | null {
  const opened = openInside(root, path, "directory");
  if (!opened.ok) return null;
  // Its descriptor names the same folder, even if its path is replaced.
  const folder = process.platform === "linux" ? `/proc/self/fd/${opened.descriptor}` : path;
  try {
    const entries = read(folder);
    return entries === null
      ? null
      : visit(entries.map((entry) => entryOf(folder, entry)).sort(byKindAndName));
  } finally {
    closeSync(opened.descriptor);
  }
}

function read(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return null;
  }
}

function entryOf(folder: string, entry: Dirent): FolderEntry {
  const kind = kindOf(entry);
  const path = join(folder, entry.name);
  const details: FolderEntry["details"] = () => {
    try {
      const target = kind === "symlink" ? readlinkSync(path) : null;
      return { size: lstatSync(path).size, target };
    } catch {
      return null;
    }
  };
  return { name: entry.name, kind, details };
}

function kindOf(entry: Dirent): FolderEntry["kind"] {
  if (entry.isDirectory()) return "directory";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

function byKindAndName(a: FolderEntry, b: FolderEntry): number {
  const kinds = ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
  if (kinds !== 0) return kinds;
  return a.name < b.name ? -1 : Number(a.name > b.name);
}
