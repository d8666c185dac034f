/** Says whether an attempt may work on a branch that exists already. */
import type { Repository } from "../../domain/repository/repository.ts";
import { readRef } from "../../git/refs.ts";
import { listWorktrees } from "../../git/worktree-list.ts";
import type { ServiceContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";

/** Null where it may; a branch that is missing or checked out somewhere is refused, naming where. */
export async function existingBranchRefusal(
  context: ServiceContext,
  repository: Repository,
  branch: string,
): Promise<Refusal | null> {
  const target = { gitDir: repository.commonDir, workTree: null };
  const sha = await readRef(context.git, target, `refs/heads/${branch}^{commit}`);
  const worktrees = await listWorktrees(context.git, target);
  if (sha.isErr() || worktrees.isErr())
    return refuse("failed", "git_failed", "The branches of the repository could not be read.", {
      remedy: "Check the repository with `git status`.",
    });
  if (sha.value === null)
    return refuse("bad_request", "branch_missing", `There is no branch "${branch}".`, {
      remedy:
        "Name a branch that exists here; `git fetch` and `git branch NAME origin/NAME` make one of the remote's.",
      details: { branch },
    });
  const holder = worktrees.value.find((worktree) => worktree.branch === branch);
  if (holder === undefined) return null;
  return refuse(
    "conflict",
    "branch_checked_out",
    `The branch "${branch}" is checked out in ${holder.path}.`,
    {
      remedy: "Check out another branch there, or start from it with `--base`.",
      details: { branch, path: holder.path },
    },
  );
}
