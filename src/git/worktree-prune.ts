/** Takes registrations of worktrees away and mends them. Every function runs under the repository's lock. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { isThere } from "../utils/is-there.ts";
import type { GitError } from "./git-error.ts";
import type { Git, GitTarget } from "./run-git.ts";
import { listWorktrees } from "./worktree-list.ts";

export type PruneError =
  | GitError
  /** The folder is still there: it was not moved away, and nothing was done. */
  | { readonly kind: "worktree_present"; readonly path: string; readonly message: string }
  /** Git answered that all is well, and lists it still. */
  | { readonly kind: "still_registered"; readonly path: string; readonly message: string };

/**
 * Drops the registration of a worktree whose folder was moved away. `git worktree prune` where it would drop nothing else;
 * where the user has missing worktrees of their own (an unmounted disk), only ours goes. Already gone is success.
 */
export async function pruneWorktree(
  git: Git,
  target: GitTarget,
  path: string,
): Promise<Result<void, PruneError>> {
  if (await isThere(path)) return err({ kind: "worktree_present", path, message: `${path} is still there` });
  const listed = await listWorktrees(git, target);
  if (listed.isErr()) return err(listed.error);
  const ours = listed.value.find((worktree) => worktree.path === path);
  if (ours === undefined) return ok(undefined);
  const alone =
    listed.value.every((worktree) => worktree.path === path || worktree.prunable === null) &&
    (await areAllListed(target, listed.value.length));
  const args =
    alone && ours.locked === null
      ? ["worktree", "prune"]
      : ["worktree", "remove", "--force", "--force", path];
  const pruned = await git.run(target, args, { lockRetries: 6 });
  if (pruned.isErr()) return err(pruned.error);
  return proveGone(git, target, { path, said: pruned.value.stderr.trim() });
}

/** `git worktree prune` ends well also where it could not delete (a read-only disk): it only says so. */
async function proveGone(
  git: Git,
  target: GitTarget,
  { path, said }: { readonly path: string; readonly said: string },
): Promise<Result<void, PruneError>> {
  const listed = await listWorktrees(git, target);
  if (listed.isErr()) return err(listed.error);
  if (listed.value.every((worktree) => worktree.path !== path)) return ok(undefined);
  const message = said === "" ? `git still lists ${path}` : said;
  return err({ kind: "still_registered", path, message });
}

/** Git does not list registrations that a power cut has damaged, which `repair` could mend; `prune` deletes them. */
async function areAllListed({ gitDir }: GitTarget, listed: number): Promise<boolean> {
  const registered = await readdir(join(gitDir, "worktrees")).catch(() => []);
  return registered.length === listed - 1;
}

/** `git worktree repair PATH...`: after the repository or its worktrees were moved, both find each other again. */
export async function repairWorktrees(
  git: Git,
  target: GitTarget,
  paths: readonly string[],
): Promise<Result<void, GitError>> {
  const repaired = await git.run(target, ["worktree", "repair", ...paths]);
  return repaired.map(() => undefined);
}
