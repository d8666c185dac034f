/** Finds the repository of a folder without starting git: where it lies, and what ties its places together. */
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { KnownFiles } from "./known-files.ts";

/** All paths are absolute and without symbolic links. */
export interface FoundRepository {
  /** The folder that holds `.git`. */
  readonly topLevel: string;
  /** `.git` is the repository, or names it. */
  readonly dotGit: "folder" | "file";
  readonly gitDir: string;
  /** What all worktrees share; `gitDir` itself where there is no `commondir`. */
  readonly commonDir: string;
  /** What a linked worktree's own folder in the repository names as its `.git`. */
  readonly backPointer: string | null;
}

/** The nearest one at or above a folder. Null where there is none, and where `.git` leads nowhere: git says so itself. */
export function findRepository(folder: string, files: KnownFiles): FoundRepository | null {
  for (let level = folder; ; level = dirname(level)) {
    const found = repositoryAt(level, files);
    if (found !== "none") return found;
    if (dirname(level) === level) return null;
  }
}

function repositoryAt(topLevel: string, files: KnownFiles): FoundRepository | null | "none" {
  const dotGit = join(topLevel, ".git");
  const stats = statSync(dotGit, { throwIfNoEntry: false });
  if (stats === undefined) return "none";
  if (stats.isDirectory()) {
    // Git passes over a folder of that name which is no repository.
    if (!isThere(join(dotGit, "HEAD"))) return "none";
    return withCommonDir({ topLevel, dotGit: "folder", gitDir: realpathSync(dotGit) }, files);
  }
  if (!stats.isFile()) return null;
  const named = /^gitdir: ([^\r\n]+)/.exec(textOf(dotGit, files) ?? "")?.[1];
  if (named === undefined) return null;
  const gitDir = realOrNull(isAbsolute(named) ? named : join(topLevel, named));
  return gitDir === null ? null : withCommonDir({ topLevel, dotGit: "file", gitDir }, files);
}

function withCommonDir(
  found: Pick<FoundRepository, "topLevel" | "dotGit" | "gitDir">,
  files: KnownFiles,
): FoundRepository | null {
  const { gitDir } = found;
  const common = lineOf(join(gitDir, "commondir"), files);
  if (common === null) return { ...found, commonDir: gitDir, backPointer: null };
  const commonDir = realOrNull(isAbsolute(common) ? common : join(gitDir, common));
  const back = lineOf(join(gitDir, "gitdir"), files);
  const backPointer = back === null ? null : isAbsolute(back) ? back : join(gitDir, back);
  return commonDir === null ? null : { ...found, commonDir, backPointer };
}

/** Where a path really leads; null where it leads nowhere. */
export function realOrNull(path: string): string | null {
  return existsSync(path) ? realpathSync(path) : null;
}

/** A link that leads nowhere is there, too: a `HEAD` may be one. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function textOf(path: string, files: KnownFiles): string | null {
  const answer = files.ask(path, (bytes) => bytes.toString("utf8"));
  return answer.kind === "file" ? answer.value : null;
}

function lineOf(path: string, files: KnownFiles): string | null {
  const text = textOf(path, files)?.trimEnd() ?? "";
  return text === "" ? null : text;
}
