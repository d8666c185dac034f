/** Finds files that git does not track at the paths that a call writes. */
import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { BroughtPaths } from "./brought-paths.ts";

interface WorkingTree {
  /** Absolute. */
  readonly topLevel: string;
  /** Whether the index holds a file of that path. */
  isTracked(path: string): boolean;
}

type Kind = "nothing" | "folder" | "other";

/** Relative to the top, each once. Git itself protects the files in the index. */
export function inTheWay(paths: BroughtPaths, tree: WorkingTree): readonly string[] {
  const known = new Map<string, Kind>();
  const kindOf = (path: string): Kind => {
    const kind = known.get(path) ?? look(join(tree.topLevel, path));
    known.set(path, kind);
    return kind;
  };
  const found = new Set<string>();
  for (const [path, brought] of paths) {
    if (tree.isTracked(path)) continue;
    const at = standing(path, brought, { ...tree, kindOf });
    if (at !== null) found.add(at);
  }
  return [...found];
}

function standing(
  path: string,
  brought: "file" | "repository",
  tree: WorkingTree & { kindOf(path: string): Kind },
): string | null {
  // A name that is not UTF-8 cannot be looked up.
  if (path.includes("\u{fffd}")) return path;
  const parts = path.split("/");
  for (let length = 1; length < parts.length; length += 1) {
    const above = parts.slice(0, length).join("/");
    const kind = tree.kindOf(above);
    if (kind === "nothing") return null;
    if (kind === "other") return tree.isTracked(above) ? besideIt(above, tree) : above;
  }
  const kind = tree.kindOf(path);
  if (kind === "other") return path;
  if (kind === "nothing" || brought === "repository") return null;
  return firstUntracked(path, tree) ?? besideIt(path, tree);
}

/** If one side has a folder and the other a file, git writes the file to `PATH~NAME`, with any NAME. */
function besideIt(path: string, tree: WorkingTree): string | null {
  const folder = dirname(path);
  const names = readdirSync(join(tree.topLevel, folder));
  const found = names
    .filter((name) => name.startsWith(`${basename(path)}~`))
    .map((name) => join(folder, name));
  return found.find((one) => !tree.isTracked(one)) ?? null;
}

/** If a file replaces a folder, everything in the folder is removed. */
function firstUntracked(folder: string, tree: WorkingTree): string | null {
  for (const entry of readdirSync(join(tree.topLevel, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    const found = entry.isDirectory() ? firstUntracked(path, tree) : tree.isTracked(path) ? null : path;
    if (found !== null) return found;
  }
  return null;
}

function look(path: string): Kind {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "nothing";
    return stats.isDirectory() ? "folder" : "other";
  } catch (error) {
    // A path that is too long cannot exist. A path that may not be examined may exist.
    return (error as NodeJS.ErrnoException).code === "ENAMETOOLONG" ? "nothing" : "other";
  }
}
