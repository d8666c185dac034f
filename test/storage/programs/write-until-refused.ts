/** Writes facts into a folder's database until it is refused, and prints their number and the error. */
import { join } from "node:path";
import { openDatabase } from "../../../src/storage/database.ts";
import { storageErrorOf } from "../../../src/storage/schema/storage-error.ts";
import { appendFact, factsAfter } from "../../../src/storage/tables/facts.ts";
import { transact } from "../../../src/storage/transact.ts";
import { NOON } from "../sample-rows.ts";

const [folder = ""] = process.argv.slice(2);
const opened = await openDatabase(
  { kind: "sqlite", file: join(folder, "tazuna.db") },
  { backupDir: join(folder, "backups"), programVersion: "0.1.0" },
);
const db = opened._unsafeUnwrap();
const data = { text: "x".repeat(50_000) };
const fact = { at: NOON, kind: "x", taskId: null, attemptId: null, runId: null, data };
let acknowledged = 0;
const refused = await (async () => {
  for (; acknowledged < 200; acknowledged += 1) await transact(db, (trx) => appendFact(trx, fact));
})().catch((error) => storageErrorOf(error)?.code);
const stored = (await factsAfter(db.reader, 0, 1000)).length;
console.log(JSON.stringify({ refused, acknowledged, stored }));
await db.close();
