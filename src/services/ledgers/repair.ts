/** Does by itself what the ledgers leave no doubt about; each act looks again, under its lock, before it acts. */
import { ok } from "neverthrow";
import type { Repair } from "../../domain/ledgers/explanation.ts";
import { pruneWorktree } from "../../git/worktree-prune.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { operationsByPrefix, operationsOfKinds } from "../../storage/find-operations.ts";
import { getRepository } from "../../storage/repositories.ts";
import { getTask } from "../../storage/tasks.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { finishPurge } from "../trash/purge-entry.ts";
import { repositoryTarget } from "../worktrees/targets.ts";

/** Throws where it cannot be done; the next start tries again. */
export async function repair(context: ServiceContext, wish: Repair): Promise<void> {
  switch (wish.act) {
    case "deregister":
      return context.attemptLock.run(wish.attempt, () => deregister(context, wish));
    case "finish_purge":
      return goOnPurging(context, wish.operation);
    case "note_lost":
      return noteLost(context, wish.attempt);
  }
}

/** With the ignored files that it was to keep, which an earlier try may have found no room for. */
async function goOnPurging(context: ServiceContext, id: string): Promise<void> {
  const [operation] = await operationsByPrefix(context.db.reader, id);
  if (operation?.id === id) await finishPurge(context, operation);
}

async function deregister(
  context: ServiceContext,
  { attempt: id, path }: Extract<Repair, { readonly act: "deregister" }>,
): Promise<void> {
  const { reader } = context.db;
  const attempt = await getAttempt(reader, id);
  if (attempt?.state !== "removed" || attempt.worktree !== path) return;
  const task = await getTask(reader, attempt.taskId);
  const repository = task && (await getRepository(reader, task.repositoryId));
  if (!repository) return;
  const pruned = await context.locks.shared(repository.commonDir, () =>
    journaled(
      context,
      { kind: "worktree_prune", subject: { type: "attempt", id }, before: { path } },
      () => pruneWorktree(context.git, repositoryTarget(repository), path),
      () => null,
    ),
  );
  if (pruned.isErr()) throw new Error(pruned.error.message);
}

/** Once for each time that it was lost: a worktree that was made again since can be lost anew. */
async function noteLost(context: ServiceContext, id: string): Promise<void> {
  const kinds = ["worktree_lost", "worktree_add", "trash_restore"];
  const last = (await operationsOfKinds(context.db.reader, kinds, id)).at(-1);
  const attempt = await getAttempt(context.db.reader, id);
  if (attempt === null || last?.kind === "worktree_lost") return;
  const { worktree: path, branch } = attempt;
  await journaled(
    context,
    { kind: "worktree_lost", subject: { type: "attempt", id }, before: { path, branch } },
    async () => ok(undefined),
    () => null,
  );
}
