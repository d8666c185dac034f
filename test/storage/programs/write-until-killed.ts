/** Adds runs and moves them, each with its fact, and says so after each commit, until it is killed. */
import { writeSync } from "node:fs";
import { type DatabaseTarget, openDatabase } from "../../../src/storage/database.ts";
import { appendFact } from "../../../src/storage/tables/facts.ts";
import { takeLease } from "../../../src/storage/tables/run-lease.ts";
import { moveRun } from "../../../src/storage/tables/run-moves.ts";
import { insertRun } from "../../../src/storage/tables/runs.ts";
import { transact } from "../../../src/storage/transact.ts";
import { NOON, sampleRun } from "../sample-rows.ts";

const [targetJson = "", backupDir = "", round = ""] = process.argv.slice(2);
const target: DatabaseTarget = JSON.parse(targetJson);
const db = (await openDatabase(target, { backupDir, programVersion: "0.1.0" }))._unsafeUnwrap();

for (let n = 0; ; n++) {
  const id = `${round}-${n}`;
  const fact = { at: NOON, taskId: null, attemptId: null, runId: id, data: {} };
  const epoch = await transact(db, async (trx) => {
    await insertRun(trx, { ...sampleRun, id });
    await appendFact(trx, { ...fact, kind: "added" });
    return takeLease(trx, { id, owner: "writer", forMs: 60_000 });
  });
  writeSync(1, `added ${id}\n`);
  await transact(db, async (trx) => {
    await moveRun(trx, {
      id,
      expect: { status: "PENDING", phase: "queued", epoch },
      to: { status: "PENDING", phase: "preparing" },
    });
    await appendFact(trx, { ...fact, kind: "moved" });
  });
  writeSync(1, `moved ${id}\n`);
}
