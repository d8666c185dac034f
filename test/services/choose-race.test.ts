/** Puts an attempt away between the look at it and the storing of its choice: the choice is refused. */
import { expect } from "bun:test";
import { tmpdir } from "node:os";
import { ok } from "neverthrow";
import { createGit } from "../../src/git/runner/run-git.ts";
import { DEFAULT_CONFIGURATION } from "../../src/services/configuration/load-configuration.ts";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { dataPaths } from "../../src/services/core/data-paths.ts";
import { chooseAttempt } from "../../src/services/decisions/choose-attempt.ts";
import { updateAttempt } from "../../src/storage/tables/attempts.ts";
import { decisionsOfTasks } from "../../src/storage/tables/decisions.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, sampleAttempt, sampleTask } from "../storage/sample-rows.ts";

onBothDatabases("an attempt that was put away meanwhile is not chosen", async ({ db }) => {
  await transact(db, insertSampleRun);
  let putAway: Promise<unknown> = Promise.resolve();
  let isFirst = true;
  // Its time is asked for when all is judged, and so the other request is stored before it.
  const iso = () => {
    const set = { state: "removed" } as const;
    if (isFirst) putAway = transact(db, (trx) => updateAttempt(trx, { id: sampleAttempt.id, set }));
    isFirst = false;
    return systemClock.iso();
  };
  const context = {
    db,
    clock: { ...systemClock, iso },
    newId: () => crypto.randomUUID(),
    newFacts: createNotifier(),
    failpoint: () => undefined,
    configuration: async () => ok(DEFAULT_CONFIGURATION),
    paths: dataPaths(tmpdir()),
    diskFullRuns: new Set(),
    git: createGit({
      binary: "git",
      env: { PATH: process.env.PATH ?? "" },
      timeoutMs: 10_000,
      scratch: tmpdir(),
    }),
  } as unknown as ServiceContext;
  const choice = { attempt: sampleAttempt.id, reason: "It is short", tripwire: null, trashOthers: false };
  const chosen = await chooseAttempt(context, choice, null);
  await putAway;
  expect(chosen._unsafeUnwrapErr().code).toBe("attempt_canceled");
  expect((await decisionsOfTasks(db.reader, [sampleTask.id])).size).toBe(0);
});
