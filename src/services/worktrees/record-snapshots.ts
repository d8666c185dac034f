/** Writes down snapshots that a crash parted from their records: git has their references, the database has no row. */
import { listSnapshots } from "../../git/snapshot.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { getRepository } from "../../storage/repositories.ts";
import { insertSnapshot, snapshotsOfAttempt } from "../../storage/snapshots.ts";
import { getTask } from "../../storage/tasks.ts";
import { transact } from "../../storage/transact.ts";
import type { ServiceContext } from "../context.ts";
import { repositoryTarget } from "./targets.ts";

/** What such a snapshot lacks is not known any more, so it counts as lacking something: nothing is deleted on its account. */
const UNKNOWN = ["."];

/** For an attempt whose journal still intends a snapshot; one that was recorded already is left as it is. */
export async function recordSnapshots(
  context: ServiceContext,
  of: { readonly attemptId: string; readonly reason: string },
): Promise<void> {
  const { reader } = context.db;
  const attempt = await getAttempt(reader, of.attemptId);
  const task = attempt && (await getTask(reader, attempt.taskId));
  const repository = task && (await getRepository(reader, task.repositoryId));
  if (!repository) return;
  const found = await listSnapshots(context.git, repositoryTarget(repository), of.attemptId);
  if (found.isErr()) throw new Error(`the snapshots cannot be read: ${found.error.message}`);
  const recorded = new Set((await snapshotsOfAttempt(reader, of.attemptId)).map(({ number }) => number));
  const missing = found.value.filter(({ number }) => !recorded.has(number));
  await transact(context.db, async (trx) => {
    for (const { number, ref, sha } of missing)
      await insertSnapshot(trx, {
        attemptId: of.attemptId,
        number,
        runId: null,
        ref,
        commit: sha,
        reason: of.reason,
        notContained: UNKNOWN,
        createdAt: context.clock.iso(),
        droppedAt: null,
      });
  });
}
