/** Finds the repository of a folder without starting git: its path, and the links between its parts. */
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isPlainText, namedGitDir, placeFrom, withoutLineEnds } from "../../../utils/paths/pointer-files.ts";
import { type KnownFiles, statOf } from "./known-files.ts";

/** A flaw of a repository: a sentence that names the file or the setting. */
export interface RepositoryFlaw {
  /** The name of a setting, or a file. */
  readonly at: string;
  readonly message: string;
  /** The repository is damaged, so that no git could read it. It is no sign of an attack. */
  readonly isDamage?: true;
}

/** All paths are absolute and without symbolic links. */
export interface FoundRepository {
  /** The folder that holds `.git`. */
  readonly topLevel: string;
  /** Whether `.git` is the repository, or a file that names it. */
  readonly dotGit: "folder" | "file";
  readonly gitDir: string;
  /** The part that all worktrees share; `gitDir` itself if there is no `commondir`. */
  readonly commonDir: string;
  /** The `.git` path that a linked worktree's own folder in the repository records. */
  readonly backPointer: string | null;
}

/**
 * The nearest repository at or above a folder. Null if there is none, or if git itself reports that `.git` leads
 * nowhere. A flaw if git could find another repository than this function does.
 */
export function findRepository(folder: string, files: KnownFiles): FoundRepository | RepositoryFlaw | null {
  for (let level = folder; ; level = dirname(level)) {
    const found = repositoryAt(level, files);
    if (found !== "none") return found;
    if (dirname(level) === level) return null;
  }
}

export function isFlaw(found: FoundRepository | RepositoryFlaw): found is RepositoryFlaw {
  return "message" in found;
}

function repositoryAt(topLevel: string, files: KnownFiles): FoundRepository | RepositoryFlaw | null | "none" {
  const dotGit = join(topLevel, ".git");
  const stats = statOf(dotGit);
  if (stats === null) return "none";
  if (stats === "unseen") return unclear(dotGit);
  if (stats.isDirectory()) {
    // If a `.git` folder is not a repository, git ignores it.
    if (!isThere(join(dotGit, "HEAD"))) return "none";
    return withCommonDir({ topLevel, dotGit: "folder", gitDir: realpathSync.native(dotGit) }, files);
  }
  // Git ignores a pipe or a device, and looks for a repository above.
  if (!stats.isFile()) return unclear(dotGit);
  const text = lineOf(dotGit, files);
  if (text === "unclear") return unclear(dotGit);
  const named = namedGitDir(text ?? "");
  if (named === null) return null;
  const gitDir = realOrNull(placeFrom(topLevel, named));
  if (gitDir === null || !statSync(gitDir).isDirectory()) return null;
  return withCommonDir({ topLevel, dotGit: "file", gitDir }, files);
}

function withCommonDir(
  found: Pick<FoundRepository, "topLevel" | "dotGit" | "gitDir">,
  files: KnownFiles,
): FoundRepository | RepositoryFlaw {
  const { gitDir } = found;
  const common = lineOf(join(gitDir, "commondir"), files);
  if (common === null) return { ...found, commonDir: gitDir, backPointer: null };
  const commonDir = common === "unclear" ? null : realOrNull(placeFrom(gitDir, common));
  if (commonDir === null) return unclear(join(gitDir, "commondir"));
  const back = lineOf(join(gitDir, "gitdir"), files);
  if (back === "unclear") return unclear(join(gitDir, "gitdir"));
  return { ...found, commonDir, backPointer: back === null ? null : placeFrom(gitDir, back) };
}

/** The real path; null if the path leads nowhere. */
export function realOrNull(path: string): string | null {
  return !path.includes("\0") && existsSync(path) ? realpathSync.native(path) : null;
}

function unclear(at: string): RepositoryFlaw {
  return { at, message: `${at} does not plainly say where the repository lies.` };
}

/** A link that leads nowhere exists too: a `HEAD` may be one. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The text without its line ends, as git takes it; null if there is none. `unclear` if git may read another text. */
function lineOf(path: string, files: KnownFiles): string | null | "unclear" {
  const answer = files.ask(path, (bytes) => bytes.toString("utf8"));
  if (answer.kind === "absent") return null;
  if (answer.kind === "odd") return "unclear";
  const line = withoutLineEnds(answer.value);
  if (!isPlainText(line) || /[\r\n]/.test(line)) return "unclear";
  return line === "" ? null : line;
}
