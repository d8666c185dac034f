/** Knows what git would ignore in a workspace, by its .gitignore files. */
import { closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openInside } from "../../utils/files/open-inside.ts";
import { bytesOf, createGitPatterns, type GitPatterns } from "../../utils/paths/git-patterns.ts";

export interface IgnoreRules {
  /** `path` is relative to the workspace, with slashes. The caller asks about the folders above it. */
  isIgnored(path: string, kind: "directory" | "file"): boolean;
}

/** A larger file is not a list of patterns that a person wrote. */
const MAX_BYTES = 1024n * 1024n;

/**
 * Reads each .gitignore once, when it is first needed, and the workspace's `.git/info/exclude`. It does not read
 * lists above the workspace, or the user's own list. It does not know which matching files git tracks.
 */
export function createIgnoreRules(root: string): IgnoreRules {
  const above = readList(root, join(root, ".git/info", "exclude"));
  const byFolder = new Map<string, readonly ListAbove[]>();
  /** The lists that apply in a folder, the nearest first, because the nearest one decides. */
  const listsFor = (folder: string): readonly ListAbove[] => {
    const known = byFolder.get(folder);
    if (known !== undefined) return known;
    const list = readList(root, join(root, folder, ".gitignore"));
    const ownList = list === null ? [] : [{ list, below: folder === "" ? 0 : bytesOf(folder).length + 1 }];
    const further =
      folder === "" ? (above === null ? [] : [{ list: above, below: 0 }]) : listsFor(parentOf(folder));
    const lists = [...ownList, ...further];
    byFolder.set(folder, lists);
    return lists;
  };

  return {
    isIgnored: (path, kind) => {
      const lists = listsFor(parentOf(path));
      const bytes = lists.length === 0 ? "" : bytesOf(path);
      for (const { list, below } of lists) {
        const verdict = list.verdictOn(bytes.slice(below), kind);
        if (verdict !== null) return verdict === "ignored";
      }
      return false;
    },
  };
}

interface ListAbove {
  readonly list: GitPatterns;
  /** How many bytes of a path come before the part that the list applies to. */
  readonly below: number;
}

/** Empty if the parent is the workspace itself. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Whether a place or any folder above it is ignored. */
export function isIgnoredThroughout(rules: IgnoreRules, path: string, kind: "directory" | "file"): boolean {
  if (path === ".") return false;
  const names = path.split("/");
  return names.some((_, at) => {
    const isLast = at === names.length - 1;
    return rules.isIgnored(names.slice(0, at + 1).join("/"), isLast ? kind : "directory");
  });
}

function readList(root: string, path: string): GitPatterns | null {
  const opened = openInside(root, path, "file");
  if (!opened.ok) return null;
  try {
    if (opened.stats.size > MAX_BYTES) return null;
    return createGitPatterns(readFileSync(opened.descriptor, "latin1"), { foldsCase: FOLDS_CASE });
  } finally {
    closeSync(opened.descriptor);
  }
}

/** As git decides when it makes a repository: by the platform's usual file system. */
const FOLDS_CASE = process.platform === "win32" || process.platform === "darwin";
