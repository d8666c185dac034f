/** Lists the worktrees that a repository has registered, and looks at what is at one place. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { isThere } from "../utils/is-there.ts";
import type { GitError } from "./git-error.ts";
import { readGitFile } from "./locate-git-dir.ts";
import { branchOf, readRef } from "./refs.ts";
import type { Git, GitTarget } from "./run-git.ts";
import { mendRegistrations } from "./worktree-mend.ts";

export interface RegisteredWorktree {
  readonly path: string;
  /** Null for a bare repository. */
  readonly head: string | null;
  readonly branch: string | null;
  readonly bare: boolean;
  /** The reason of its lock, maybe empty; null while it is not locked. */
  readonly locked: string | null;
  /** Why `git worktree prune` would drop it; null while it would not. */
  readonly prunable: string | null;
}

/** What a path and a branch have come to, for the recovery of a half made worktree. */
export interface WorktreePlace {
  readonly registered: RegisteredWorktree | null;
  readonly directory: "absent" | "empty" | "present";
  /** The git directory that `PATH/.git` names; null where there is no such file or it leads nowhere. */
  readonly gitDir: string | null;
  /** An index exists: the checkout was begun. */
  readonly hasIndex: boolean;
  /** Where the branch is; null where it does not exist. */
  readonly branchSha: string | null;
}

/**
 * `git worktree list --porcelain -z`; the first is the repository's main one. The target is the repository as a whole.
 * A registration of ours that a killed git left without the text of one file makes git refuse every listing, and is mended.
 */
export async function listWorktrees(
  git: Git,
  target: GitTarget,
): Promise<Result<readonly RegisteredWorktree[], GitError>> {
  const list = () => git.run(target, ["worktree", "list", "--porcelain", "-z"]);
  const first = await list();
  const mended = first.isErr() && (await mendRegistrations(target.gitDir));
  return (mended ? await list() : first).map(({ stdout }) =>
    stdout
      .split("\0\0")
      .filter((record) => record !== "")
      .map(registeredOf),
  );
}

/** The registration, folder, git directory and branch at one place. Under the repository's lock. */
export async function inspectWorktree(
  git: Git,
  target: GitTarget,
  at: { readonly path: string; readonly branch: string },
): Promise<Result<WorktreePlace, GitError>> {
  const listed = await listWorktrees(git, target);
  if (listed.isErr()) return err(listed.error);
  const branchSha = await readRef(git, target, `refs/heads/${at.branch}^{commit}`);
  if (branchSha.isErr()) return err(branchSha.error);
  const gitDir = await readGitFile(at.path);
  return ok({
    registered: listed.value.find(({ path }) => path === at.path) ?? null,
    directory: await directoryState(at.path),
    gitDir,
    hasIndex: gitDir !== null && (await isThere(join(gitDir, "index"))),
    branchSha: branchSha.value,
  });
}

function registeredOf(record: string): RegisteredWorktree {
  const fields = new Map(
    record
      .split("\0")
      .filter((line) => line !== "")
      .map((line) => {
        const at = line.indexOf(" ");
        return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
      }),
  );
  return {
    path: fields.get("worktree") ?? "",
    head: fields.get("HEAD") ?? null,
    branch: branchOf(fields.get("branch") ?? ""),
    bare: fields.has("bare"),
    locked: fields.get("locked") ?? null,
    prunable: fields.get("prunable") ?? null,
  };
}

async function directoryState(path: string): Promise<WorktreePlace["directory"]> {
  if (!(await isThere(path))) return "absent";
  const entries = await readdir(path).catch(() => [path]);
  return entries.length === 0 ? "empty" : "present";
}
