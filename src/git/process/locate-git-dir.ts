/** Finds the git directories of a checkout at a known path by reading files only. */
import { lstat, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { namedGitDir, placeFrom, withoutLineEnds } from "../../utils/paths/pointer-files.ts";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";

interface GitDirs {
  /** Real path of the checkout's own git directory. */
  readonly gitDir: string;
  /** Real path of the directory that holds objects and references. */
  readonly commonDir: string;
}

/** Longer than any path that a system allows. An agent may replace each of these files by a long one, or a pipe. */
const MAX_BYTES = 64 * 1024;

/** The git directories of the checkout (or bare repository) at `path`; null if it no longer exists. */
export async function locateGitDir(path: string): Promise<GitDirs | null> {
  const gitDir = (await dotGit(path)) ?? (await bareDir(path));
  if (gitDir === null) return null;
  const commonDir = await commonDirOf(gitDir);
  return commonDir === null ? null : { gitDir, commonDir };
}

/**
 * The directory that a git directory shares with the repository's other worktrees. Null if it names one that does not
 * exist.
 */
export async function commonDirOf(gitDir: string): Promise<string | null> {
  const file = join(gitDir, "commondir");
  if ((await lstat(file).catch(() => null)) === null) return gitDir;
  const common = readPlainFile(file, MAX_BYTES);
  if (common === null) return null;
  return realpath(placeFrom(gitDir, withoutLineEnds(common))).catch(() => null);
}

/** `.git` as a directory, or as the file that names the directory. */
async function dotGit(path: string): Promise<string | null> {
  const place = join(path, ".git");
  const found = await stat(place).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) return realpath(place);
  return readGitFile(path);
}

/** The real path of the git directory that the file `PATH/.git` names. Null if there is no such file or directory. */
export async function readGitFile(path: string): Promise<string | null> {
  const file = await realpath(join(path, ".git")).catch(() => null);
  const named = namedGitDir((file === null ? null : readPlainFile(file, MAX_BYTES)) ?? "");
  return named === null ? null : realpath(placeFrom(path, named)).catch(() => null);
}

async function bareDir(path: string): Promise<string | null> {
  const head = await stat(join(path, "HEAD")).catch(() => null);
  const objects = await stat(join(path, "objects")).catch(() => null);
  return head?.isFile() && objects?.isDirectory() ? realpath(path) : null;
}

/** The branch that the file HEAD of a git directory names. Null if it names a commit, or is kept otherwise. */
export async function readHeadFile(gitDir: string): Promise<string | null> {
  const text = readPlainFile(join(gitDir, "HEAD"), MAX_BYTES) ?? "";
  const branch = /^ref: refs\/heads\/([^\n]+)\n?$/.exec(text)?.[1] ?? null;
  // With the reftable format this file is a placeholder, and HEAD is stored in a table.
  return branch === ".invalid" ? null : branch;
}

/**
 * The branch of HEAD and its commit, if files contain both. Null if only git can tell (packed, detached, no commit).
 */
export async function readHeadFiles(
  gitDir: string,
): Promise<{ readonly sha: string; readonly branch: string } | null> {
  const branch = await readHeadFile(gitDir);
  const commonDir = branch === null ? null : await commonDirOf(gitDir);
  const sha = branch === null || commonDir === null ? null : readBranchFile(commonDir, branch);
  return branch === null || sha === null ? null : { sha, branch };
}

/** The commit of a branch, if it has its own file. Null if only git can tell (packed, in a table, missing). */
export function readBranchFile(commonDir: string, branch: string): string | null {
  if (branch.split("/").includes("..")) return null;
  const text = readPlainFile(join(commonDir, "refs/heads", branch), MAX_BYTES) ?? "";
  return /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(text)?.[1] ?? null;
}
