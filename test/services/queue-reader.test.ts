/** Reads the queue of an engine from its rows: what another program or worker has to do is not in it. */
import { expect } from "bun:test";
import { join } from "node:path";
import { err } from "neverthrow";
import { PROTOCOL } from "../../src/domain/worker/protocol.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { createQueueReader } from "../../src/services/queue/queue.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { insertSampleRun } from "../storage/sample-rows.ts";

const WORKER = "worker-1";

/** The ids of the runs in the queue, and of the attempts that are busy. */
async function queueOf(db: Database, folder: string) {
  const context = {
    ...{ db, owner: WORKER, executors: new Map(), drivers: new Map(), lackingClones: new Map() },
    paths: { root: folder, config: join(folder, "config.json") },
    clock: { now: () => new Date(), iso: () => new Date().toISOString() },
    configuration: async () => err("there is none"),
  } as unknown as ServiceContext;
  const { queued, busyAttempts } = await createQueueReader(context).gather();
  return [queued.map(({ id }) => id), [...busyAttempts]];
}

onBothDatabases(
  "a run that needs a newer program is left to it, and nothing overtakes it",
  async ({ db }) => {
    await using folder = await tempDir();
    await transact(db, async (trx) => {
      const { id } = await insertSampleRun(trx);
      await trx.updateTable("runs").set({ workerId: WORKER }).where("id", "=", id).execute();
    });
    expect(await queueOf(db, folder.path)).toEqual([["run-1"], []]);
    await transact(db, (trx) =>
      trx
        .updateTable("runs")
        .set({ needsProtocol: PROTOCOL + 1 })
        .execute(),
    );
    expect(await queueOf(db, folder.path)).toEqual([[], ["attempt-1"]]);
  },
);
