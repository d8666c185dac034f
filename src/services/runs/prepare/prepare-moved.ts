/** Prepares a run that another worker had begun and lost: its branch, its files as the depot has them, its setup. */
import { ok, type Result } from "neverthrow";
import { restoreTree } from "../../../git/worktree/restore-files.ts";
import type { ConfinedContext, WorktreeContext } from "../../core/context-parts.ts";
import { gitFailedAt } from "../../run-core/git-failure.ts";
import type { RunWorld, Step } from "../../run-core/step.ts";
import { worktreeTarget } from "../../run-core/targets.ts";
import type { Prepared } from "./prepare-first.ts";
import { restoreWorktree } from "./prepare-later.ts";

/**
 * May be repeated: until an agent begins here, the files are laid anew. The run keeps its start, so that what was edited
 * elsewhere counts as its change.
 */
export async function prepareMoved(
  context: WorktreeContext & ConfinedContext,
  world: RunWorld,
): Promise<Result<Prepared, Step>> {
  const made = await restoreWorktree(context, world, (restored) => layFiles(context, restored));
  return made.map((gitDir) => ({ gitDir, cleanAt: world.run.startSha, notes: [] }));
}

async function layFiles(context: WorktreeContext, { attempt, run }: RunWorld): Promise<Result<void, Step>> {
  const copy = run.options.moved?.copy ?? null;
  if (copy === null) return ok(undefined);
  const laid = await restoreTree(context.git, worktreeTarget(attempt), { tree: copy });
  return laid.mapErr(gitFailedAt("worktree"));
}
