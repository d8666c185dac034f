/** Tells that a look at a database says what it is, reads it, and leaves the folder as it was. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/storage/database.ts";
import { MIGRATIONS } from "../../src/storage/migrations/migrations.ts";
import type { Migrations } from "../../src/storage/schema/migrator.ts";
import { inspectSqlite } from "../../src/storage/sqlite/inspect-sqlite.ts";
import { getRun } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { insertSampleRun } from "./sample-rows.ts";

const look = (file: string, inUse = false) => inspectSqlite(file, { programVersion: "0.1.0", inUse });

/** A folder with signs in its name that an address has to escape. */
async function folder() {
  const dir = await tempDir();
  return { ...dir, file: join(dir.path, "a b%20?#.db") };
}

async function made(file: string, migrations: Migrations = MIGRATIONS) {
  const options = { backupDir: `${file}-backups`, programVersion: "0.1.0", migrations };
  const db = (await openDatabase({ kind: "sqlite", file }, options))._unsafeUnwrap();
  await transact(db, insertSampleRun);
  return db;
}

const content = (path: string) =>
  readdirSync(path).map((name) => [name, readFileSync(join(path, name)).toString("base64")]);

test("a sound one is read, and nothing is laid beside it; writing is refused", async () => {
  await using dir = await folder();
  await (await made(dir.file)).close();
  const before = content(dir.path);
  const looked = await look(dir.file);
  if (looked.state !== "sound") throw new Error(looked.state);
  expect((await getRun(looked.db.reader, "run-1"))?.instruction).toBe("Water them.");
  await expect(transact(looked.db, insertSampleRun)).rejects.toThrow(/cannot be written/);
  expect(content(dir.path)).toEqual(before);
  await looked.db.close();
  expect(content(dir.path)).toEqual(before);
});

test("content that stands only in the log is seen, in a used database and after a kill", async () => {
  await using dir = await folder();
  const db = await made(dir.file);
  for (const inUse of [true, false]) {
    const looked = await look(dir.file, inUse);
    if (looked.state !== "sound") throw new Error(looked.state);
    expect(await getRun(looked.db.reader, "run-1")).not.toBeNull();
    await looked.db.close();
  }
  await db.close();
});

test("one that is not there, and one of an older program", async () => {
  await using dir = await folder();
  expect(await look(dir.file)).toEqual({ state: "absent" });
  expect(await look(join(dir.path, "no", "folder.db"))).toEqual({ state: "absent" });
  const names = Object.keys(MIGRATIONS).sort();
  const [newest = ""] = names.splice(-1);
  const older = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== newest));
  const options = { backupDir: `${dir.file}-backups`, programVersion: "0.0.9", migrations: older };
  await (await openDatabase({ kind: "sqlite", file: dir.file }, options))._unsafeUnwrap().close();
  expect(await look(dir.file)).toEqual({ state: "older" });
});

test("one that cannot be used says why, and names the file", async () => {
  await using dir = await folder();
  const next: Migrations = { ...MIGRATIONS, "9999-next": { up: async () => {} } };
  await (await made(dir.file, next)).close();
  const why = async () => {
    const looked = await look(dir.file);
    return looked.state === "unusable"
      ? [looked.error.code, looked.error.message.includes(dir.file)]
      : looked;
  };
  expect(await why()).toEqual(["database_newer", true]);
  writeFileSync(dir.file, "");
  expect(await why()).toEqual(["database_corrupt", true]);
  writeFileSync(dir.file, "no database ".repeat(1000));
  expect(await why()).toEqual(["database_corrupt", true]);
});
