/** Lists the submodules of a tree, fills them, and tells which of them an agent changed. */
import { lstat, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { err, ok } from "neverthrow";
import { isGone } from "../../utils/files/is-there.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { readGitFile } from "../process/locate-git-dir.ts";
import { fromNul } from "../process/nul-list.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitOptions, GitTarget } from "../runner/run-git.ts";

interface DirtySubmodule {
  readonly path: string;
  /** Another commit is checked out than the recorded one. */
  readonly commitChanged: boolean;
  readonly modified: boolean;
  readonly untracked: boolean;
}

/** The paths of every submodule (gitlink) of a tree or commit. */
export async function listGitlinks(
  git: Git,
  target: GitTarget,
  treeish: string,
): GitAnswer<readonly string[]> {
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
): GitAnswer<readonly string[]> {
  const extraEnv = options.index === undefined ? {} : { GIT_INDEX_FILE: options.index };
  return gitlinksAmong(git, target, { args: ["ls-files", "--stage", "-z"], options: { extraEnv } });
}

async function gitlinksAmong(
  git: Git,
  target: GitTarget,
  { args, options }: { readonly args: readonly string[]; readonly options: GitOptions },
): GitAnswer<readonly string[]> {
  const keep = (line: string) => line.startsWith("160000 ");
  const listed = await listFields(git, target, args, { ...options, keep });
  return listed.map((lines) => lines.map((line) => line.slice(line.indexOf("\t") + 1)));
}

/**
 * The gitlinks whose `.git` is not what git makes (a file that points into this repository's `modules/`). Git would
 * read the configuration of the repository there, which an agent may have written.
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

/** The gitlinks that hold a file in the worktree, or whose folder cannot be read. Git ignores folders without files. */
export async function filledGitlinks(
  target: GitTarget,
  paths: readonly string[],
): Promise<readonly string[]> {
  const { workTree } = target;
  if (workTree === null) return [];
  const filled = await Promise.all(paths.map((path) => holdsFile(join(workTree, path))));
  return paths.filter((_, index) => filled[index]);
}

/** True if the folder cannot be read. */
async function holdsFile(folder: string): Promise<boolean> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    if (entries.some((entry) => !entry.isDirectory())) return true;
    for (const { name } of entries) if (await holdsFile(join(folder, name))) return true;
    return false;
  } catch (error) {
    return !isGone(error);
  }
}

/** The gitlinks whose folder holds files although the submodule was never filled. `git add` skips them silently. */
export async function strayGitlinks(target: GitTarget, paths: readonly string[]): Promise<readonly string[]> {
  const filled = await filledGitlinks(target, paths);
  const stray = await Promise.all(
    filled.map(async (path) => {
      const mark = await lstat(join(target.workTree ?? "", path, ".git")).catch(() => null);
      return mark === null ? [path] : [];
    }),
  );
  return stray.flat();
}

/** The gitlinks whose commit no remote-tracking reference of their submodule reaches. None may be foreign. */
export async function unpublishedGitlinks(
  git: Git,
  { workTree }: GitTarget,
  gitlinks: readonly { readonly path: string; readonly sha: string }[],
): Promise<readonly string[]> {
  const judged = await Promise.all(
    gitlinks.map(async ({ path, sha }) => {
      const gitDir = await readGitFile(join(workTree ?? "", path));
      if (gitDir === null) return [];
      const args = ["for-each-ref", "--count=1", "--contains", sha, "refs/remotes"];
      const found = await git.run({ gitDir, workTree: null }, args);
      // Git fails for a commit that does not exist here.
      return found.isOk() && found.value.stdout !== "" ? [] : [path];
    }),
  );
  return judged.flat();
}

/** Clones and checks out every submodule, without writing the shared configuration of all worktrees. */
export async function fillSubmodules(
  git: Git,
  target: GitTarget,
  options: { readonly timeoutMs?: number } = {},
): GitAnswer<void, RemoteError> {
  // `submodule.active` replaces `submodule init`, which would copy the URLs into the shared configuration.
  const updated = await git.run(target, ["submodule", "update", "--checkout", "--recursive"], {
    access: "remote",
    config: { "submodule.active": "." },
    ...options,
  });
  return updated.mapErr(asRemoteError).map(() => undefined);
}

/** The submodules among `gitlinks` whose content differs from what the index records. None may be foreign. */
export async function dirtySubmodules(
  git: Git,
  target: GitTarget,
  gitlinks: readonly string[],
): GitAnswer<readonly DirtySubmodule[]> {
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

/** `1 XY SCMU ...`: S marks a submodule, then commit, modified and untracked, each as a letter or a dot. */
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
