/** Knows which places belong to git: no tool itself writes there, and no search looks there. */
import { lstatSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { deniedByPolicy, type ToolRefusal } from "../core/result.ts";

/**
 * Names that some file systems take for `.git`, because they fold case, drop dots or ignore invisible characters. The
 * list is git's own.
 */
const GIT_NAME = /^(?:\.git|git~[0-9]+)[. ]*$/i;
const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether a name is `.git` on any file system. */
export function isGitName(name: string): boolean {
  return GIT_NAME.test(name.replace(INVISIBLE, "").replace(/:.*$/s, ""));
}

/**
 * Refuses a place that is `.git`, or lies below one, or in a folder that git takes for a repository. Such a
 * folder is a bare repository or the git folder of a linked worktree. Null if the place may be written. Both paths
 * are absolute and without links.
 */
export function refuseGitDirectory(root: string, path: string): ToolRefusal | null {
  const names = relative(root, path).split(sep);
  if (!names.some(isGitName) && !isInGitFolder(root, path)) return null;
  const message = `${names.join("/")} belongs to git; change it with git_command.`;
  return deniedByPolicy("GIT_DIRECTORY", message, { details: { path: names.join("/") } });
}

function isInGitFolder(root: string, path: string): boolean {
  for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) {
    if (isGitFolder(folder)) return true;
    if (folder === dirname(folder)) return false;
  }
  return false;
}

/** By what git itself looks for: HEAD, and its own objects and refs or a pointer to them. */
function isGitFolder(folder: string): boolean {
  if (!isThere(join(folder, "HEAD"))) return false;
  if (isThere(join(folder, "commondir"))) return true;
  return isThere(join(folder, "objects")) && isThere(join(folder, "refs"));
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
