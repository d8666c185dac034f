/** Knows what git would ignore in a workspace, by its .gitignore files. */
import { closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openInside } from "../../utils/open-inside.ts";
import { bytesOf, createGitPatterns, type GitPatterns } from "./git-patterns.ts";

export interface IgnoreRules {
  /** `path` is relative to the workspace, with slashes. Whether a folder above it is ignored is the caller's to ask. */
  isIgnored(path: string, kind: "directory" | "file"): boolean;
}

/** A longer one is no list of patterns that a person wrote. */
const LONGEST_BYTES = 1024n * 1024n;

/**
 * Reads each .gitignore once, the moment it is needed, and `.git/info/exclude` of the workspace. What lies above the
 * workspace, and the user's own list, are not read; nor does it know which files git tracks although they match.
 */
export function createIgnoreRules(root: string): IgnoreRules {
  const lists = new Map<string, GitPatterns | null>();
  const listIn = (folder: string, file = ".gitignore"): GitPatterns | null => {
    const key = `${folder}/${file}`;
    const known = lists.get(key);
    if (known !== undefined) return known;
    const list = readList(root, join(root, folder, file));
    lists.set(key, list);
    return list;
  };

  return {
    isIgnored: (path, kind) => {
      const verdict = (list: GitPatterns | null, below: string) =>
        list?.verdictOn(bytesOf(below), kind) ?? null;
      // The list that is nearest to the file has the last word.
      for (let at = path.lastIndexOf("/"); at !== -1; at = path.lastIndexOf("/", at - 1)) {
        const said = verdict(listIn(path.slice(0, at)), path.slice(at + 1));
        if (said !== null) return said === "ignored";
      }
      const said = verdict(listIn("."), path) ?? verdict(listIn(".git/info", "exclude"), path);
      return said === "ignored";
    },
  };
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
    if (opened.stats.size > LONGEST_BYTES) return null;
    return createGitPatterns(readFileSync(opened.descriptor, "latin1"), { foldsCase: FOLDS_CASE });
  } finally {
    closeSync(opened.descriptor);
  }
}

/** As git decides it when it makes a repository: by what the file system of the platform does. */
const FOLDS_CASE = process.platform === "win32" || process.platform === "darwin";
