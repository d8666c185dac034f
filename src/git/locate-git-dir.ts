/** Finds the git directories of a checkout whose place is known, by reading files only. */
import { lstat, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readPlainFile } from "../utils/read-plain-file.ts";

export interface GitDirs {
  /** Real path of the checkout's own git directory. */
  readonly gitDir: string;
  /** Real path of the directory that holds objects and references. */
  readonly commonDir: string;
}

/** Longer than any path that a system allows. Whoever works there may put a pipe in place of each of these files. */
const MOST_BYTES = 64 * 1024;

/** The git directories of the checkout (or bare repository) at `path`; null where there is none any more. */
export async function locateGitDir(path: string): Promise<GitDirs | null> {
  const gitDir = (await dotGit(path)) ?? (await bareDir(path));
  if (gitDir === null) return null;
  const commonDir = await commonDirOf(gitDir);
  return commonDir === null ? null : { gitDir, commonDir };
}

/** The directory that a git directory shares with its repository's others; null where it names one that is not there. */
export async function commonDirOf(gitDir: string): Promise<string | null> {
  const file = join(gitDir, "commondir");
  if ((await lstat(file).catch(() => null)) === null) return gitDir;
  const common = readPlainFile(file, MOST_BYTES);
  if (common === null) return null;
  return realpath(resolve(gitDir, withoutLineEnd(common))).catch(() => null);
}

/** `.git` as a directory, or as the file that names one. */
async function dotGit(path: string): Promise<string | null> {
  const place = join(path, ".git");
  const found = await stat(place).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) return realpath(place);
  return readGitFile(path);
}

/** The real path of the git directory that the file `PATH/.git` names; null where there is no such file or directory. */
export async function readGitFile(path: string): Promise<string | null> {
  const file = await realpath(join(path, ".git")).catch(() => null);
  const named = namedGitDir((file === null ? null : readPlainFile(file, MOST_BYTES)) ?? "");
  return named === null ? null : realpath(resolve(path, named)).catch(() => null);
}

/** What the text of a `.git` file names. */
function namedGitDir(text: string): string | null {
  const named = text.startsWith("gitdir: ") ? withoutLineEnd(text.slice("gitdir: ".length)) : "";
  return named === "" ? null : named;
}

/** Only this does git cut off: every other character, spaces too, may belong to a path. */
function withoutLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}

async function bareDir(path: string): Promise<string | null> {
  const head = await stat(join(path, "HEAD")).catch(() => null);
  const objects = await stat(join(path, "objects")).catch(() => null);
  return head?.isFile() && objects?.isDirectory() ? realpath(path) : null;
}

/** The branch that the file HEAD of a git directory names; null where it names a commit, or is kept otherwise. */
export async function readHeadFile(gitDir: string): Promise<string | null> {
  const text = readPlainFile(join(gitDir, "HEAD"), MOST_BYTES) ?? "";
  const branch = /^ref: refs\/heads\/([^\n]+)\n?$/.exec(text)?.[1] ?? null;
  // With the reftable format the file is a stand-in and HEAD is kept in a table.
  return branch === ".invalid" ? null : branch;
}

/** The branch that HEAD is on and its commit, where files tell both; null where only git can (packed, detached, no commit). */
export async function readHeadFiles(
  gitDir: string,
): Promise<{ readonly sha: string; readonly branch: string } | null> {
  const branch = await readHeadFile(gitDir);
  if (branch === null || branch.split("/").includes("..")) return null;
  const commonDir = await commonDirOf(gitDir);
  if (commonDir === null) return null;
  const text = readPlainFile(join(commonDir, "refs/heads", branch), MOST_BYTES) ?? "";
  const sha = /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(text)?.[1];
  return sha === undefined ? null : { sha, branch };
}
