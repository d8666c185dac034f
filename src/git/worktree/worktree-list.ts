/** Lists the registered worktrees of a repository, inspects one place, and says whether a person locked a worktree. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok } from "neverthrow";
import { isThere } from "../../utils/files/is-there.ts";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { readGitFile } from "../process/locate-git-dir.ts";
import { branchOf, readRef } from "../refs/refs.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export interface RegisteredWorktree {
  readonly path: string;
  /** Null for a bare repository. */
  readonly head: string | null;
  readonly branch: string | null;
  readonly bare: boolean;
  /** The reason of its lock, maybe empty; null if it is not locked. */
  readonly locked: string | null;
  /** Why `git worktree prune` would drop it; null if it would not. */
  readonly prunable: string | null;
}

/** The state of a path and a branch: after a crash it tells how far making a worktree there came. */
export interface WorktreePlace {
  readonly registered: RegisteredWorktree | null;
  readonly directory: "absent" | "empty" | "present";
  /** The git directory that `PATH/.git` names; null if there is no such file or its target is missing. */
  readonly gitDir: string | null;
  /** An index exists: the checkout was begun. */
  readonly hasIndex: boolean;
  /** The branch's commit; null if the branch does not exist. */
  readonly branchSha: string | null;
}

/**
 * `git worktree list --porcelain -z`; the first is the repository's main one. The target is the repository as a whole.
 */
export async function listWorktrees(git: Git, target: GitTarget): GitAnswer<readonly RegisteredWorktree[]> {
  const listed = await git.run(target, ["worktree", "list", "--porcelain", "-z"]);
  return listed.map(({ stdout }) =>
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
): GitAnswer<WorktreePlace> {
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

/** Git's own lock while it makes a worktree. A killed git leaves it. */
const OF_GIT = "initializing";
const MAX_BYTES = 8192;

/** The reason that a person gave to `git worktree lock`, maybe empty; null if the worktree is not locked. */
export async function personsLock(gitDir: string): Promise<string | null> {
  const file = join(gitDir, "locked");
  if (!(await isThere(file))) return null;
  const reason = (readPlainFile(file, MAX_BYTES) ?? "").trim();
  return reason === OF_GIT ? null : reason;
}
