/** Shows what an attempt changed against its base, or how it differs from another attempt. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { TaskSettings } from "../../domain/configuration/task-settings.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { diffFiles, diffPatch } from "../../git/diff.ts";
import { readRef } from "../../git/refs.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { readRunTrees } from "../../git/run-trees.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { getRepository } from "../../storage/repositories.ts";
import { runsOfAttempt } from "../../storage/runs.ts";
import { getTask } from "../../storage/tasks.ts";
import { heldToLimitOf } from "../configuration/git-limit.ts";
import type { ServiceContext } from "../context.ts";
import { notFound, refuse } from "../refusal.ts";
import type { DiffView, Refusal } from "../services.ts";
import { repositoryTarget } from "../worktrees/targets.ts";

/** A patch beyond this is cut, which its last line then says. */
const MOST_PATCH_BYTES = 32 * 1024 * 1024;

export async function attemptDiff(
  engine: ServiceContext,
  attemptId: string,
  options: { readonly other: string | null },
): Promise<Result<DiffView, Refusal>> {
  const place = await placeOf(engine, attemptId);
  if (place === null) return err(notFound("attempt", attemptId));
  const { target, attempt } = place;
  const context = await heldToLimitOf(engine, place);
  const from = options.other === null ? attempt.base.sha : await stateOf(context, target, options.other);
  const to = await stateOf(context, target, attemptId);
  if (from === null || to === null) return ok({ files: [], patch: "" });
  const files = await diffFiles(context.git, target, { from, to });
  const patch = await diffPatch(context.git, target, { of: { from, to }, maxBytes: MOST_PATCH_BYTES });
  if (files.isErr()) return err(gitRefusal(files.error.message));
  if (patch.isErr()) return err(gitRefusal(patch.error.message));
  const cut = patch.value.truncated ? `\n(cut after ${MOST_PATCH_BYTES / 1024 ** 2} MiB)\n` : "";
  return ok({
    files: files.value.map(({ path, status, additions, deletions }) => ({
      path,
      status,
      additions,
      deletions,
    })),
    patch: `${patch.value.patch}${cut}`,
  });
}

async function placeOf(
  context: ServiceContext,
  attemptId: string,
): Promise<{
  readonly attempt: Attempt;
  readonly repository: Repository;
  /** Those of its task. */
  readonly settings: TaskSettings;
  readonly target: GitTarget;
} | null> {
  const attempt = await getAttempt(context.db.reader, attemptId);
  const task = attempt && (await getTask(context.db.reader, attempt.taskId));
  const repository = task && (await getRepository(context.db.reader, task.repositoryId));
  if (!task || !repository) return null;
  return { attempt, repository, settings: task.settings, target: repositoryTarget(repository) };
}

/** What the newest run left: its own tree, else what the branch holds; null where nothing was made yet. */
async function stateOf(
  context: ServiceContext,
  target: GitTarget,
  attemptId: string,
): Promise<string | null> {
  const attempt = await getAttempt(context.db.reader, attemptId);
  if (attempt === null) return null;
  const runs = await runsOfAttempt(context.db.reader, attemptId);
  for (const run of [...runs].reverse()) {
    const trees = (await readRunTrees(context.git, target, run.id)).unwrapOr(null);
    if (trees?.after) return trees.after;
  }
  return (await readRef(context.git, target, `refs/heads/${attempt.branch}^{commit}`)).unwrapOr(null);
}

function gitRefusal(message: string): Refusal {
  return refuse("failed", "git_failed", message, { remedy: "Read git's message above." });
}
