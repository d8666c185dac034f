/** Undoes a commit that a later run only checked again: no run is told as having it any more. */
import { expect } from "bun:test";
import { isCommitUndone } from "../../src/domain/undo/undone-commit.ts";
import { noteUndo } from "../../src/services/undo/note-undone.ts";
import { moveRun } from "../../src/storage/tables/run-moves.ts";
import { insertRun, runsOfAttempt } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, sampleAttempt, sampleRun } from "../storage/sample-rows.ts";

const [COMMIT, BASE] = ["c0ffee", "ba5e"];

onBothDatabases("the undo of a commit holds for the run that checked it again", async ({ db }) => {
  await transact(db, async (trx) => {
    await insertSampleRun(trx);
    await insertRun(trx, { ...sampleRun, id: "run-2", kind: "commit", options: { recheck: true } });
    for (const id of ["run-1", "run-2"])
      await moveRun(trx, {
        id,
        expect: { status: "PENDING", phase: "queued", epoch: null },
        to: { status: "SUCCEEDED", phase: null },
        set: { commit: COMMIT, outcome: "committed", endedAt: systemClock.iso() },
      });
  });
  const undone = async (move: { sha: string; to: string }) => {
    const before = { of: "operation-1", ref: `refs/heads/${sampleAttempt.branch}`, ...move };
    await transact(db, (trx) => noteUndo(trx, { subject: { type: "run", id: "run-1" }, before }));
    const runs = await runsOfAttempt(db.reader, sampleAttempt.id);
    return runs.map(({ notes }) => isCommitUndone(notes));
  };
  expect(await undone({ sha: COMMIT, to: BASE })).toEqual([true, true]);
  expect(await undone({ sha: BASE, to: COMMIT })).toEqual([false, false]);
});
