import { describe, expect } from "bun:test";
import type { Snapshot } from "../../src/domain/attempt/snapshot.ts";
import { insertSnapshot, snapshotsOfAttempt } from "../../src/storage/tables/snapshots.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON } from "./sample-rows.ts";

const snapshot: Snapshot = {
  attemptId: "attempt-1",
  number: 1,
  runId: "run-1",
  ref: "refs/tazuna/snapshots/attempt-1/1",
  commit: "a".repeat(40),
  reason: "cancel",
  notContained: ["vendor/nested", "secret\nfile"],
  createdAt: NOON,
  droppedAt: null,
};

describe("snapshots", () => {
  onBothDatabases("are numbered within their attempt and read back whole", async ({ db }) => {
    await transact(db, insertSampleRun);
    const second = { ...snapshot, number: 2, runId: null, notContained: [], droppedAt: NOON };
    await transact(db, (trx) => insertSnapshot(trx, snapshot));
    await transact(db, (trx) => insertSnapshot(trx, second));
    expect(await snapshotsOfAttempt(db.reader, "attempt-1")).toEqual([snapshot, second]);
    await expect(transact(db, (trx) => insertSnapshot(trx, snapshot))).rejects.toThrow(/unique/i);
  });
});
