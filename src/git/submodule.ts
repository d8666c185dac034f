/** Lists the submodules of a tree, fills them, and tells which of them an agent changed. */
import { lstat, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { isGone } from "../utils/is-there.ts";
import { listFields } from "./each-field.ts";
import type { GitError } from "./git-error.ts";
import { readGitFile } from "./locate-git-dir.ts";
import { fromNul } from "./nul-list.ts";
import { asRemoteError, type RemoteError } from "./remote-error.ts";
import type { Git, GitOptions, GitTarget } from "./run-git.ts";

export interface DirtySubmodule {
  readonly path: string;
  /** Another commit is checked out than the one that is recorded. */
  readonly commitChanged: boolean;
  readonly modified: boolean;
  readonly untracked: boolean;
}

/** The paths of every submodule (gitlink) of a tree or commit. */
export async function listGitlinks(
  git: Git,
  target: GitTarget,
  treeish: string,
): Promise<Result<readonly string[], GitError>> {
  return gitlinksAmong(git, target, {
    args: ["ls-tree", "-r", "-z", "--full-tree", treeish],
    options: { access: "objects" },
  });
}

/** The paths of every gitlink of the index, or of another index file. */
export async function listIndexGitlinks(
  git: Git,
  target: GitTarget,
  options: { readonly index?: string } = {},
): Promise<Result<readonly string[], GitError>> {
  const extraEnv = options.index === undefined ? {} : { GIT_INDEX_FILE: options.index };
  return gitlinksAmong(git, target, { args: ["ls-files", "--stage", "-z"], options: { extraEnv } });
}

async function gitlinksAmong(
  git: Git,
  target: GitTarget,
  { args, options }: { readonly args: readonly string[]; readonly options: GitOptions },
): Promise<Result<readonly string[], GitError>> {
  const keep = (line: string) => line.startsWith("160000 ");
  const listed = await listFields(git, target, args, { ...options, keep });
  return listed.map((lines) => lines.map((line) => line.slice(line.indexOf("\t") + 1)));
}

/**
 * The gitlinks whose `.git` is not what git makes (a file that leads into this repository's `modules/`). Git would read
 * the configuration of the repository that it finds there, which an agent can have written.
 */
export async function foreignGitlinks(
  target: GitTarget,
  paths: readonly string[],
): Promise<readonly string[]> {
  const judged = await Promise.all(
    paths.map(async (path) => ({ path, foreign: await isForeign(target, path) })),
  );
  return judged.filter(({ foreign }) => foreign).map(({ path }) => path);
}

/** The gitlinks that hold anything in the worktree, or that nobody may look into; one that was never filled is an empty folder. */
export async function filledGitlinks(
  target: GitTarget,
  paths: readonly string[],
): Promise<readonly string[]> {
  const { workTree } = target;
  if (workTree === null) return [];
  const entries = await Promise.all(
    paths.map((path) => readdir(join(workTree, path)).catch((error) => (isGone(error) ? [] : [path]))),
  );
  return paths.filter((_, index) => (entries[index] ?? []).length > 0);
}

/** Clones and checks out every submodule, without writing the configuration that all worktrees share. */
export async function fillSubmodules(
  git: Git,
  target: GitTarget,
  options: { readonly timeoutMs?: number } = {},
): Promise<Result<void, RemoteError>> {
  // `submodule.active` stands in for `submodule init`, which would copy the URLs into the shared configuration.
  const updated = await git.run(target, ["submodule", "update", "--checkout", "--recursive"], {
    access: "remote",
    config: { "submodule.active": "." },
    ...options,
  });
  return updated.mapErr(asRemoteError).map(() => undefined);
}

/** The submodules among `gitlinks` whose content differs from what HEAD's index records. None may be foreign. */
export async function dirtySubmodules(
  git: Git,
  target: GitTarget,
  gitlinks: readonly string[],
): Promise<Result<readonly DirtySubmodule[], GitError>> {
  if (gitlinks.length === 0) return ok([]);
  const args = [
    "status",
    "--porcelain=v2",
    "-z",
    "--ignore-submodules=none",
    "--untracked-files=no",
    "--no-renames",
  ];
  const status = await git.run(target, [...args, "--", ...gitlinks], {
    extraEnv: { GIT_LITERAL_PATHSPECS: "1" },
  });
  if (status.isErr()) return err(status.error);
  return ok(fromNul(status.value.stdout).flatMap((record) => dirtyOf(record) ?? []));
}

/** `1 XY SCMU ...`: S says submodule, then commit, modified and untracked as a letter or a dot. */
function dirtyOf(record: string): DirtySubmodule | null {
  const fields = /^1 \S+ S(.)(.)(.) \S+ \S+ \S+ \S+ \S+ ([\s\S]+)$/.exec(record);
  if (fields === null) return null;
  const [, commit, modified, untracked, path = ""] = fields;
  const dirty = {
    path,
    commitChanged: commit === "C",
    modified: modified === "M",
    untracked: untracked === "U",
  };
  return dirty.commitChanged || dirty.modified || dirty.untracked ? dirty : null;
}

async function isForeign({ gitDir, workTree }: GitTarget, path: string): Promise<boolean> {
  if (workTree === null) return false;
  const mark = join(workTree, path, ".git");
  const stats = await lstat(mark).catch(() => null);
  if (stats === null) return (await lstat(join(workTree, path)).catch(() => null))?.isSymbolicLink() ?? false;
  if (!stats.isFile()) return true;
  const leads = await readGitFile(join(workTree, path));
  const modules = await realpath(join(gitDir, "modules")).catch(() => null);
  return leads === null || modules === null || !leads.startsWith(modules + sep);
}
