/** Tells how operations are found by kind and by id, and what is written of snapshots that went. */
import { describe, expect } from "bun:test";
import type { Operation } from "../../src/domain/operation.ts";
import { operationsByPrefix, operationsOfKinds } from "../../src/storage/queries/find-operations.ts";
import { insertOperation, noteUndone } from "../../src/storage/tables/operations.ts";
import { dropSnapshots, insertSnapshot, snapshotsOfAttempt } from "../../src/storage/tables/snapshots.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON, sampleAttempt } from "./sample-rows.ts";

const operation = (id: string, kind: string, subject: string): Operation => ({
  id,
  kind,
  subject: { type: "attempt", id: subject },
  before: null,
  after: null,
  status: "done",
  undoable: true,
  commands: null,
  actor: null,
  at: NOON,
  endedAt: NOON,
});

describe("operations", () => {
  onBothDatabases("are found by kind, by subject and by the beginning of their id", async ({ db }) => {
    const rows = [
      operation("a1", "trash", "x"),
      operation("a12", "trash", "y"),
      operation("b1", "push", "x"),
    ];
    await transact(db, async (trx) => {
      for (const row of rows) await insertOperation(trx, row);
      await noteUndone(trx, "b1");
    });
    const ids = (found: readonly Operation[]) => found.map(({ id, undoable }) => `${id} ${undoable}`);
    expect({
      kind: ids(await operationsOfKinds(db.reader, ["trash"])),
      subject: ids(await operationsOfKinds(db.reader, ["trash", "push"], "x")),
      prefix: ids(await operationsByPrefix(db.reader, "a")),
      whole: ids(await operationsByPrefix(db.reader, "a1")),
      empty: ids(await operationsByPrefix(db.reader, "")),
    }).toEqual({
      kind: ["a1 true", "a12 true"],
      subject: ["a1 true", "b1 false"],
      prefix: ["a1 true", "a12 true"],
      whole: ["a1 true"],
      empty: [],
    });
  });
});

describe("snapshots", () => {
  onBothDatabases("whose references went say since when; the others stay as they are", async ({ db }) => {
    await transact(db, insertSampleRun);
    const { id: attemptId } = sampleAttempt;
    await transact(db, async (trx) => {
      for (const number of [1, 2, 3])
        await insertSnapshot(trx, {
          attemptId,
          number,
          runId: null,
          ref: `refs/tazuna/snapshots/${attemptId}/${number}`,
          commit: "c",
          reason: "test",
          notContained: [],
          createdAt: NOON,
          droppedAt: null,
        });
      await dropSnapshots(trx, { attemptId, numbers: [1, 2], at: NOON });
      await dropSnapshots(trx, { attemptId, numbers: [], at: NOON });
    });
    const dropped = (await snapshotsOfAttempt(db.reader, attemptId)).map(({ droppedAt }) => droppedAt);
    expect(dropped).toEqual([NOON, NOON, null]);
  });
});
