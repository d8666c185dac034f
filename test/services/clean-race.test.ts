/** Lets another request change an attempt after a clean-up looked at it: it stays, with what the other one stored. */
import { expect } from "bun:test";
import { noteMerged } from "../../src/services/attempts/note-merged.ts";
import { endCleanly } from "../../src/services/clean/end-cleanly.ts";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { getAttempt } from "../../src/storage/tables/attempts.ts";
import { moveRun } from "../../src/storage/tables/run-moves.ts";
import { insertRun, runsOfAttempt } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, sampleRun } from "../storage/sample-rows.ts";

const ATTEMPT = sampleRun.attemptId;

const contextOf = (db: Database) =>
  ({
    db,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    newFacts: createNotifier(),
    failpoint: () => undefined,
    reportFault: () => undefined,
    cleanUpRetries: new Map(),
    timing: { cleanUpMs: [1_000_000] },
  }) as unknown as ServiceContext;

const ended = (db: Database, id: string) =>
  transact(db, (trx) =>
    moveRun(trx, {
      id,
      expect: { status: "PENDING", phase: "queued", epoch: null },
      to: { status: "SUCCEEDED", phase: null },
      set: { commit: "c0ffee", outcome: "committed", endedAt: systemClock.iso() },
    }),
  );

const seenNow = async (db: Database) => {
  const attempt = await getAttempt(db.reader, ATTEMPT);
  if (attempt === null) throw new Error("no attempt");
  return { attempt, merged: attempt.merged, facts: { runs: await runsOfAttempt(db.reader, ATTEMPT) } };
};

onBothDatabases("an attempt that is merged meanwhile stays merged, and is not cleaned up", async ({ db }) => {
  await transact(db, insertSampleRun);
  await ended(db, sampleRun.id);
  const seen = await seenNow(db);
  const at = systemClock.iso();
  const merged = { at, commit: "f00d", tip: "c0ffee", target: "main", before: null, by: "tazuna" } as const;
  await transact(db, (trx) => noteMerged(trx, seen.attempt, { at, merged }));
  await endCleanly(contextOf(db), seen);
  expect((await seenNow(db)).attempt).toMatchObject({ state: "open", merged });
});

onBothDatabases("an attempt in which a run worked meanwhile is not cleaned up", async ({ db }) => {
  await transact(db, insertSampleRun);
  await ended(db, sampleRun.id);
  const seen = await seenNow(db);
  await transact(db, (trx) => insertRun(trx, { ...sampleRun, id: "run-2" }));
  await ended(db, "run-2");
  await endCleanly(contextOf(db), seen);
  expect((await seenNow(db)).attempt.state).toBe("open");
});
