/** Cancels an attempt between the look at it and the storing of its next run: the run is refused, and none begins. */
import { expect } from "bun:test";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { addRun } from "../../src/services/requests/add-run.ts";
import { saveCancel } from "../../src/services/requests/save-cancel.ts";
import { getAttempt, updateAttempt } from "../../src/storage/tables/attempts.ts";
import { runsOfAttempt } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, sampleRun } from "../storage/sample-rows.ts";

onBothDatabases("a run for an attempt that was just ended is refused", async ({ db }) => {
  await transact(db, insertSampleRun);
  const released: string[] = [];
  const context = {
    db,
    clock: systemClock,
    newId: () => "run-2",
    owner: "worker-1",
    newFacts: createNotifier(),
    dispatcher: () => ({ poke: () => undefined }),
    shells: { bindToRun: () => undefined, release: (id: string) => released.push(id) },
    shell: null,
    failpoint: () => undefined,
  } as unknown as ServiceContext & Parameters<typeof addRun>[0];
  const seen = await getAttempt(db.reader, sampleRun.attemptId);
  if (seen === null) throw new Error("no attempt");
  const add = () =>
    addRun(context, seen, {
      kind: "publish",
      instruction: "Push",
      options: {},
      offline: false,
      releasesHeld: false,
      key: null,
    });
  const runs = async () => (await runsOfAttempt(db.reader, seen.id)).map(({ id }) => id);
  const before = await runs();
  await transact(db, (trx) => saveCancel(context, trx, seen));
  expect((await add())._unsafeUnwrapErr()).toMatchObject({ code: "attempt_canceled" });
  await transact(db, (trx) => updateAttempt(trx, { id: seen.id, set: { state: "removed" } }));
  expect((await add())._unsafeUnwrapErr()).toMatchObject({ code: "attempt_canceled" });
  expect([await runs(), released]).toEqual([before, ["run-2", "run-2"]]);
});
