/** Compares two histories: what one has that the other lacks, and what was merged (seed 003 Phase 4, GitService). */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { readRef } from "./refs.ts";

/**
 * `git rev-list HEAD..REMOTE/B`, after a fetch of B: whether the remote's branch has commits that HEAD lacks. A
 * branch that the remote lacks is not ahead.
 */
export async function isBehindRemote(
  git: Git,
  target: GitTarget,
  options: { readonly remote: string; readonly branch: string },
): GitAnswer<boolean> {
  const tracking = `refs/remotes/${options.remote}/${options.branch}`;
  const remoteTip = await readRef(git, target, tracking);
  if (remoteTip.isErr()) return err(remoteTip.error);
  if (remoteTip.value === null) return ok(false);
  const listed = await git.run(target, ["rev-list", `HEAD..${tracking}`, "--max-count=1", "--"]);
  return listed.map(({ stdout }) => stdout !== "");
}

/** Whether a commit is part of another's history. */
export async function isAncestor(
  git: Git,
  target: GitTarget,
  revisions: { readonly ancestor: string; readonly descendant: string },
): GitAnswer<boolean> {
  const asked = await git.run(
    target,
    ["merge-base", "--is-ancestor", revisions.ancestor, revisions.descendant],
    {
      expect: [0, 1],
    },
  );
  return asked.map(({ exitCode }) => exitCode === 0);
}

/** How many commits `mine` has that `theirs` lacks, and the reverse (`rev-list --left-right --count`). */
export async function countApart(
  git: Git,
  target: GitTarget,
  revisions: { readonly mine: string; readonly theirs: string },
): GitAnswer<{ readonly ahead: number; readonly behind: number }> {
  const range = `${revisions.mine}...${revisions.theirs}`;
  const counted = await git.run(target, ["rev-list", "--left-right", "--count", range, "--"]);
  return counted.map(({ stdout }) => {
    const [ahead = "0", behind = "0"] = stdout.trim().split("\t");
    return { ahead: Number(ahead), behind: Number(behind) };
  });
}

/** The newest commit that two histories share; null if they share none. */
export async function commonCommit(
  git: Git,
  target: GitTarget,
  { one, other }: { readonly one: string; readonly other: string },
): GitAnswer<string | null> {
  const common = await git.run(target, ["merge-base", one, other], { expect: [0, 1] });
  return common.map(({ stdout }) => stdout.trim() || null);
}

/** Whether two histories share a commit that a third one lacks. A commit that does not exist here shares none. */
export async function sharesCommit(
  git: Git,
  target: GitTarget,
  histories: { readonly one: string; readonly other: string; readonly beyond: string | null },
): GitAnswer<boolean> {
  const first = await readRef(git, target, `${histories.one}^{commit}`);
  if (first.isErr()) return err(first.error);
  if (first.value === null) return ok(false);
  const common = await commonCommit(git, target, histories);
  if (common.isErr()) return err(common.error);
  if (common.value === null || histories.beyond === null) return ok(common.value !== null);
  const old = await isAncestor(git, target, { ancestor: common.value, descendant: histories.beyond });
  return old.map((isOld) => !isOld);
}

/** Whether a branch of the remote has the commit, as the last fetch left it. */
export async function isOnRemote(
  git: Git,
  target: GitTarget,
  { commit, remote }: { readonly commit: string; readonly remote: string },
): GitAnswer<boolean> {
  const args = ["for-each-ref", "--count=1", `--contains=${commit}`, `refs/remotes/${remote}/`];
  const found = await git.run(target, args, { expect: [0, 129] });
  return found.map(({ exitCode, stdout }) => exitCode === 0 && stdout !== "");
}
