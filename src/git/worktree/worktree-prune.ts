/** Removes and repairs registrations of worktrees, always under the repository's lock (seed 003 Clean-up). */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { err, ok } from "neverthrow";
import { isThere } from "../../utils/files/is-there.ts";
import { type GitAnswer, type GitError, wasKilled } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { listWorktrees } from "./worktree-list.ts";

export type PruneError =
  | GitError
  /** The folder still exists: it was not moved away, and nothing was done. */
  | { readonly kind: "worktree_present"; readonly path: string; readonly message: string }
  /** A person locked it with `git worktree lock`. */
  | { readonly kind: "locked_by_person"; readonly path: string; readonly message: string }
  /** Git reported success, but still lists the worktree. */
  | { readonly kind: "still_registered"; readonly path: string; readonly message: string };

/**
 * Drops the registration of a worktree whose folder was moved away. Runs `git worktree prune` if that would drop
 * nothing else. If the user has missing worktrees of their own (an unmounted disk), only ours is dropped. If it is
 * already gone, that is success.
 */
export async function pruneWorktree(git: Git, target: GitTarget, path: string): GitAnswer<void, PruneError> {
  if (await isThere(path)) return err({ kind: "worktree_present", path, message: `${path} is still there` });
  const listed = await listWorktrees(git, target);
  if (listed.isErr()) return err(listed.error);
  const ours = listed.value.find((worktree) => worktree.path === path);
  if (ours === undefined) return ok(undefined);
  if (ours.locked !== null && ours.locked !== "initializing") {
    const reason = ours.locked === "" ? "" : `: ${ours.locked}`;
    const message = `a person locked the worktree ${path}${reason}`;
    return err({ kind: "locked_by_person", path, message });
  }
  const pruneIsSafe =
    listed.value.every((worktree) => worktree.path === path || worktree.prunable === null) &&
    (await areAllListed(target, listed.value.length));
  const args =
    pruneIsSafe && ours.locked === null
      ? ["worktree", "prune"]
      : ["worktree", "remove", "--force", "--force", path];
  const pruned = await git.run(target, args, { lockRetries: 6 });
  if (pruned.isOk()) return proveGone(git, target, { path, stderr: pruned.value.stderr.trim() });
  // Another git, of the user or of another engine, may have pruned it meanwhile.
  if (pruned.error.kind !== "git_failed" || wasKilled(pruned.error)) return err(pruned.error);
  return (await proveGone(git, target, { path, stderr: "" })).mapErr(() => pruned.error);
}

/** `git worktree prune` succeeds even if it could not delete (a read-only disk): it only prints a message. */
async function proveGone(
  git: Git,
  target: GitTarget,
  { path, stderr }: { readonly path: string; readonly stderr: string },
): GitAnswer<void, PruneError> {
  const listed = await listWorktrees(git, target);
  if (listed.isErr()) return err(listed.error);
  if (listed.value.every((worktree) => worktree.path !== path)) return ok(undefined);
  const message = stderr === "" ? `git still lists ${path}` : stderr;
  return err({ kind: "still_registered", path, message });
}

/** Git does not list registrations that a power cut has damaged. `repair` could mend them, but `prune` deletes them. */
async function areAllListed({ gitDir }: GitTarget, listed: number): Promise<boolean> {
  const registered = await readdir(join(gitDir, "worktrees")).catch(() => []);
  return registered.length === listed - 1;
}

/** `git worktree repair PATH...`: reconnects the repository and its worktrees after a move. */
export async function repairWorktrees(
  git: Git,
  target: GitTarget,
  paths: readonly string[],
): GitAnswer<void> {
  const repaired = await git.run(target, ["worktree", "repair", ...paths]);
  return repaired.map(() => undefined);
}
