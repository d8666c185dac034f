/** Knows what belongs to git itself, where no tool writes by its own hand and no search looks. */
import { lstatSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { deniedByPolicy, type ToolRefusal } from "../core/result.ts";

/** What file systems that fold case, drop dots or ignore invisible characters take for `.git` (git's own list of them). */
const GIT_NAME = /^(?:\.git|git~[0-9]+)[. ]*$/i;
const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether a name is `.git` on any file system. */
export function isGitName(name: string): boolean {
  return GIT_NAME.test(name.replace(INVISIBLE, "").replace(/:.*$/s, ""));
}

/**
 * Refuses a place that is `.git`, lies below one, or lies in a folder that git would take for its own (a bare repository,
 * the git folder of a linked worktree). Null where it may be written. Both paths are absolute and without links.
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

/** By what git itself looks for: HEAD, and objects and refs of its own or a pointer to where they are. */
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
