/** Proves that a worktree is on its attempt's branch, or says how a person brings it back. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { gitToEnd } from "../../../domain/run/remedy.ts";
import { shellWord } from "../../../domain/text/shell-word.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import { readHead, readRef } from "../../../git/refs/refs.ts";
import { isAncestor } from "../../../git/refs/rev-list.ts";
import { operationInProgress } from "../../../git/worktree/merge-state.ts";
import { ensureBranch } from "../../branches/ensure-branch.ts";
import type { GitContext, Uses } from "../../core/context-parts.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";
import { repositoryTarget, worktreeTarget } from "../../run-core/targets.ts";

/**
 * A person may have switched the worktree to another branch: what is there is theirs, not this attempt's. Or they may
 * have deleted its branch.
 */
export async function proveBranch(context: GitContext, world: RunWorld): Promise<Result<void, Step>> {
  const { branch, worktree } = world.attempt;
  const found = await safeTry(async function* () {
    const head = yield* await readHead(context.git, worktreeTarget(world.attempt));
    if (head.branch === branch) {
      if (head.sha === null) yield* await ensureBranch(context, world);
      return ok(null);
    }
    return ok({ head, back: yield* await wayBack(context, world, head.sha) });
  });
  if (found.isErr()) return err(gitFailed("worktree", found.error));
  if (found.value === null) return ok(undefined);
  const { head, back } = found.value;
  const place = head.branch === null ? "no branch" : `the branch ${head.branch}`;
  const message = `The worktree ${worktree} is on ${place}, not on ${branch}.`;
  return err(failed("worktree_lost", message, { remedy: `${back}. Then {again}.` }));
}

/** `now` is the commit that is checked out; null if there is none. */
async function wayBack(
  context: Uses<"git">,
  world: RunWorld,
  now: string | null,
): Promise<Result<string, GitError>> {
  return safeTry(async function* () {
    const { branch, worktree } = world.attempt;
    const git = `git -C ${shellWord(worktree)}`;
    const operation = yield* await operationInProgress(context.git, worktreeTarget(world.attempt));
    if (operation !== null) {
      const { name } = operation;
      return ok(`End the ${name} that goes on there: conclude it, or \`${git} ${gitToEnd(name)}\``);
    }
    const target = repositoryTarget(world.repository);
    const branchTip = yield* await readRef(context.git, target, `refs/heads/${branch}^{commit}`);
    if (branchTip !== null)
      return ok(`Keep what you need of it, then \`${git} switch ${shellWord(branch)}\``);
    const last = yield* await lastCommit(context, world);
    const again = `${git} switch -c ${shellWord(branch)}`;
    const kept =
      last === null || now === null
        ? ok(last === null)
        : await isAncestor(context.git, target, { ancestor: last, descendant: now });
    return kept.map((isKept) =>
      isKept
        ? `That branch is gone: \`${again}\` makes it again where the worktree is`
        : `That branch is gone. Keep what you need of what is there, then make it again at its last commit: \`${again} ${last}\``,
    );
  });
}

/** The newest commit of the attempt that is still here; null if none is. */
async function lastCommit(
  context: Uses<"git">,
  { run, earlier, attempt, repository }: RunWorld,
): Promise<Result<string | null, GitError>> {
  const last = earlier.findLast(({ commit }) => commit !== null)?.commit;
  for (const sha of [run.commit, run.startSha, last, attempt.base.sha]) {
    if (!sha) continue;
    const found = await readRef(context.git, repositoryTarget(repository), `${sha}^{commit}`);
    if (found.isErr() || found.value !== null) return found;
  }
  return ok(null);
}
