/** Records snapshots that a crash cut off from their records: git has their references, the database has no row. */

import { listSnapshots } from "../../git/snapshot/snapshot.ts";
import { insertSnapshot, snapshotsOfAttempt } from "../../storage/tables/snapshots.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/**
 * What such a snapshot lacks is not known, so it counts as incomplete: nothing is deleted because of it.
 */
const UNKNOWN = ["."];

/** For an attempt whose journal still intends a snapshot; a snapshot with a record is left as it is. */
export async function recordSnapshots(
  context: Uses<"db" | "git" | "clock">,
  intended: { readonly attemptId: string; readonly reason: string },
): Promise<void> {
  const { reader } = context.db;
  const place = await findPlace(reader, intended.attemptId);
  if (place === null) return;
  const { repository } = place;
  const found = await listSnapshots(context.git, repositoryTarget(repository), intended.attemptId);
  if (found.isErr()) throw new Error(`the snapshots cannot be read: ${found.error.message}`);
  const recorded = new Set(
    (await snapshotsOfAttempt(reader, intended.attemptId)).map(({ number }) => number),
  );
  const missing = found.value.filter(({ number }) => !recorded.has(number));
  await transact(context.db, async (trx) => {
    for (const { number, ref, sha } of missing)
      await insertSnapshot(trx, {
        attemptId: intended.attemptId,
        number,
        runId: null,
        ref,
        commit: sha,
        reason: intended.reason,
        notContained: UNKNOWN,
        createdAt: context.clock.iso(),
        droppedAt: null,
      });
  });
}
