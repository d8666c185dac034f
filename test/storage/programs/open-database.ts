/** Opens the SQLite database in its argument and prints the result, for tests that run it as another user. */
import { openDatabase } from "../../../src/storage/database.ts";

const [file = "", backupDir = ""] = process.argv.slice(2);
const opened = await openDatabase(
  { kind: "sqlite", file },
  { backupDir, programVersion: "0.1.0", busyTimeoutMs: 50 },
);
console.log(JSON.stringify(opened.isOk() ? { ok: true } : opened.error));
if (opened.isOk()) await opened.value.close();
