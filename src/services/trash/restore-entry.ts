/** Brings an attempt back from the trash: its branch where that went, its worktree, every file, ignored ones too. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { overKilled } from "../../git/over-killed.ts";
import { getAttempt, updateAttempt } from "../../storage/attempts.ts";
import { appendFact } from "../../storage/facts.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import { noteUndone } from "../../storage/operations.ts";
import { getRepository } from "../../storage/repositories.ts";
import type { WriteTransaction } from "../../storage/schema.ts";
import { getTask } from "../../storage/tasks.ts";
import { heldToLimitOf } from "../configuration/git-limit.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { notFound } from "../refusal.ts";
import type { Refusal, RestoredEntry } from "../services.ts";
import { bringBack } from "./bring-back.ts";
import { findTrashed } from "./find-entry.ts";
import { refuseRestore, restoreFailed } from "./refuse-restore.ts";
import { placeOf, type TrashedWorktree } from "./trash-entries.ts";

/** Whoever asks for what is back already is answered as the first one was. */
export async function restoreEntry(
  context: ServiceContext,
  idOrPrefix: string,
): Promise<Result<RestoredEntry, Refusal>> {
  const found = await findTrashed(context, idOrPrefix);
  if (found.isErr()) return err(found.error);
  const entry = found.value;
  return context.attemptLock.run(entry.attemptId, () => restoreLocked(context, entry));
}

async function restoreLocked(
  engine: ServiceContext,
  entry: TrashedWorktree,
): Promise<Result<RestoredEntry, Refusal>> {
  const { reader } = engine.db;
  const attempt = await getAttempt(reader, entry.attemptId);
  const task = attempt && (await getTask(reader, attempt.taskId));
  const repository = task && (await getRepository(reader, task.repositoryId));
  if (!attempt || !task || !repository) return err(notFound("attempt", entry.attemptId));
  const earlier = (await operationsOfKinds(reader, ["trash_restore"], attempt.id)).filter(
    ({ before }) => before?.entry === entry.id,
  );
  const restored = { entry: entry.id, path: attempt.worktree };
  const isBack = earlier.some(({ status }) => status === "done");
  if (isBack && attempt.state === "open") return ok(restored);
  const facts = { attempt, entry, isBack, begun: earlier.length > 0, place: await placeOf(engine, entry) };
  const refusal = await refuseRestore(facts);
  if (refusal !== null) return err(refusal);
  const context = await heldToLimitOf(engine, { repository, settings: task.settings });
  const done = await restore(context, { attempt, repository, entry });
  return done.map(() => restored).mapErr((error) => restoreFailed(error, { attempt, entry }));
}

interface Of {
  readonly attempt: Attempt;
  readonly repository: Repository;
  readonly entry: TrashedWorktree;
}

/** One act of the journal with its steps inside: where it is cut off, the next engine does the rest. */
function restore(context: ServiceContext, of: Of) {
  const { attempt, entry } = of;
  return journaled(
    context,
    {
      kind: "trash_restore",
      subject: { type: "attempt", id: attempt.id },
      before: { entry: entry.id, trash: entry.path, path: attempt.worktree, branch: attempt.branch },
    },
    () => overKilled(() => bringBack(context, of)),
    ({ gitDir, sha, left }) => ({ path: attempt.worktree, branch: attempt.branch, sha, gitDir, left }),
    async (trx, { gitDir }) => {
      await noteUndone(trx, entry.id);
      await reopen(context, trx, { attempt, gitDir });
    },
  );
}

async function reopen(
  context: ServiceContext,
  trx: WriteTransaction,
  { attempt, gitDir }: { readonly attempt: Attempt; readonly gitDir: string },
): Promise<void> {
  await updateAttempt(trx, { id: attempt.id, set: { state: "open", gitDir, endedAt: null } });
  await appendFact(trx, {
    at: context.clock.iso(),
    kind: "attempt.changed",
    taskId: attempt.taskId,
    attemptId: attempt.id,
    runId: null,
    data: { state: "open" },
  });
}
