import { Database as SqliteHandle } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { openDatabase } from "../../src/storage/database.ts";
import { MIGRATIONS } from "../../src/storage/migrations/migrations.ts";
import type { Migrations } from "../../src/storage/schema/migrator.ts";
import { checksOfRun, leftByChecksOf } from "../../src/storage/tables/checks.ts";
import { getRun } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases, type TestDatabase } from "../helpers/databases.ts";
import { postgres, postgresUrl } from "../helpers/postgres-server.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { insertSampleRun, NOON } from "./sample-rows.ts";

/** The program's newest schema. */
const NEWEST = Object.keys(MIGRATIONS).sort().at(-1);

const addColumn = async (db: Kysely<unknown>) => {
  await db.schema.alterTable("runs").addColumn("mood", "text").execute();
};

const NEXT: Migrations = { ...MIGRATIONS, "9998-mood": { up: addColumn } };

const BROKEN: Migrations = {
  ...NEXT,
  "9999-broken": {
    up: async (db) => {
      await db.schema.dropTable("facts").execute();
      throw new Error("the migration is broken");
    },
  },
};

const openWith = (on: TestDatabase, migrations: Migrations, programVersion = "0.2.0") =>
  openDatabase(on.target, { backupDir: on.backupDir, programVersion, migrations });

const backups = (on: TestDatabase) => readdirSync(on.backupDir).sort();

describe("an older database", () => {
  onBothDatabases("is brought to the program's schema with everything in it", async (on) => {
    await transact(on.db, insertSampleRun);
    await on.db.close();
    const db = (await openWith(on, NEXT))._unsafeUnwrap();
    expect((await getRun(db.reader, "run-1"))?.instruction).toBe("Water them.");
    expect(await sql`select mood from runs`.execute(db.reader)).toMatchObject({ rows: [{ mood: null }] });
    await db.close();
  });

  onBothDatabases(
    "whose checks only named the files that they left is read as one that knows none",
    async (on) => {
      await transact(on.db, async (trx) => {
        await insertSampleRun(trx);
        await sql`insert into checks (run_id, name, tree, command, required, outcome, duration_ms, output, left_behind, at)
        values ('run-1', 'test', 'tree', 'true', ${true}, 'passed', 1, '', '["report.txt"]', ${NOON})`.execute(
          trx,
        );
        for (const column of [
          "isolation_reason",
          "worker_id",
          "slot_repository",
          "slot_login",
          "needs_protocol",
          "waits_for",
        ])
          await sql`alter table runs drop column ${sql.ref(column)}`.execute(trx);
        for (const index of ["attempts_repository", "attempts_ended"])
          await sql`drop index ${sql.ref(index)}`.execute(trx);
        for (const column of [
          "clean_up",
          "started_from",
          "patch",
          "merged",
          "origin",
          "worker_id",
          "repository_id",
        ])
          await sql`alter table attempts drop column ${sql.ref(column)}`.execute(trx);
        for (const column of ["removed_at", "url", "address", "worker_id"])
          await sql`alter table repositories drop column ${sql.ref(column)}`.execute(trx);
        await sql`alter table tasks drop column on_labels`.execute(trx);
        for (const table of ["comments", "trusted_scripts"])
          await sql`alter table ${sql.ref(table)} drop column actor`.execute(trx);
        for (const column of ["commands", "worker_id", "actor"])
          await sql`alter table operations drop column ${sql.ref(column)}`.execute(trx);
        await sql`drop index operations_kind`.execute(trx);
        const tables = [
          "access_tokens",
          "browsers",
          "people",
          "sign_in_flows",
          "sign_in_codes",
          "notices",
          "requests",
          "log_packs",
          "log_chunks",
          "log_series",
          "workers",
          "invites",
          "depot",
          "protections",
          "left_worktrees",
          "team_acts",
          "answer_rules",
          "drafts",
          "viewed_files",
          "seen_runs",
          "base_checks",
        ];
        for (const table of [...tables, "questions", "decisions", "comments", "pull_requests"])
          await sql`drop table ${sql.ref(table)}`.execute(trx);
        await sql`delete from schema_migrations where name >= '0005'`.execute(trx);
      });
      await on.db.close();
      const db = (await openWith(on, MIGRATIONS))._unsafeUnwrap();
      expect(await leftByChecksOf(db.reader, "attempt-1")).toEqual([]);
      expect((await checksOfRun(db.reader, "run-1")).map(({ leftBehind }) => leftBehind)).toEqual([[]]);
      await db.close();
    },
  );

  onBothDatabases("is copied first, where it is a file, under a name of its own each time", async (on) => {
    await transact(on.db, insertSampleRun);
    await on.db.close();
    expect(backups(on)).toEqual([]);
    await openWith(on, BROKEN).catch(() => undefined);
    await (await openWith(on, NEXT))._unsafeUnwrap().close();
    await (await openWith(on, NEXT))._unsafeUnwrap().close();
    if (on.target.kind === "postgres") return expect(backups(on)).toEqual([]);
    expect(backups(on)).toEqual([`${NEWEST}-1.db`, `${NEWEST}-2.db`]);
    const file = join(on.backupDir, `${NEWEST}-2.db`);
    const copy = (
      await openDatabase({ kind: "sqlite", file }, { backupDir: on.backupDir, programVersion: "0.1.0" })
    )._unsafeUnwrap();
    expect((await getRun(copy.reader, "run-1"))?.instruction).toBe("Water them.");
    await copy.close();
  });

  onBothDatabases("stays as it was when a migration fails", async (on) => {
    await transact(on.db, insertSampleRun);
    await on.db.close();
    await expect(openWith(on, BROKEN)).rejects.toThrow("the migration is broken");
    const again = (await openWith(on, MIGRATIONS))._unsafeUnwrap();
    expect((await getRun(again.reader, "run-1"))?.instruction).toBe("Water them.");
    await transact(again, (trx) => sql`select * from facts`.execute(trx));
    await expect(sql`select mood from runs`.execute(again.reader)).rejects.toThrow("mood");
    await again.close();
  });
});

describe("a newer database", () => {
  onBothDatabases("is refused, both versions named, and stays as it was", async (on) => {
    await on.db.close();
    await (await openWith(on, NEXT, "9.8.7"))._unsafeUnwrap().close();
    const refused = (await openWith(on, MIGRATIONS, "0.1.0"))._unsafeUnwrapErr();
    expect(refused).toEqual({
      code: "database_newer",
      message: expect.stringContaining(
        `The database has schema 9998-mood, written by Tazuna 9.8.7; this is Tazuna 0.1.0, which knows schemas up to ${NEWEST}.`,
      ),
      remedy: expect.stringContaining("newer Tazuna"),
    });
    await (await openWith(on, NEXT, "9.8.7"))._unsafeUnwrap().close();
  });
});

describe("a database that cannot be copied", () => {
  test("is not migrated", async () => {
    await using folder = await tempDir();
    const target = { kind: "sqlite", file: join(folder.path, "tazuna.db") } as const;
    const backupDir = join(folder.path, "backups");
    await (await openDatabase(target, { backupDir, programVersion: "0.1.0" }))._unsafeUnwrap().close();
    writeFileSync(backupDir, "a file in the way");
    const opened = await openDatabase(target, { backupDir, programVersion: "0.2.0", migrations: NEXT });
    expect(opened._unsafeUnwrapErr().code).toBe("database_unreachable");
    const handle = new SqliteHandle(target.file);
    expect(() => handle.run("select mood from runs")).toThrow("no such column");
    handle.close();
  });
});

const skipped = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

describe.skipIf(skipped !== "")(deep(`Postgres${skipped}`), () => {
  test("is made ready once if many programs open it at the same time", async () => {
    const url = await postgresUrl();
    const schema = `test_${randomBytes(8).toString("hex")}`;
    const options = { backupDir: "/nowhere", programVersion: "0.1.0" };
    const opened = await Promise.all(
      [1, 2, 3, 4, 5].map(() => openDatabase({ kind: "postgres", url, schema }, options)),
    );
    expect(opened.map((one) => one.isOk())).toEqual([true, true, true, true, true]);
    const [first, ...others] = opened.map((one) => one._unsafeUnwrap());
    for (const db of others) await db.close();
    if (first === undefined) throw new Error("none was opened");
    expect(await sql`select name from schema_migrations`.execute(first.reader)).toMatchObject({
      rows: Object.keys(MIGRATIONS).map((name) => ({ name })),
    });
    await sql`drop schema ${sql.id(schema)} cascade`.execute(first.reader);
    await first.close();
  }, 180_000);

  test("that does not answer, or has no such database, is an error that keeps the password", async () => {
    const missing = (await postgresUrl()).replace("postgres@/postgres?", "postgres:secret@/missing?");
    const options = { backupDir: "/nowhere", programVersion: "0.1.0" };
    const refusals = [];
    const socketless = "postgres://me:secret@/tazuna?host=/nowhere";
    for (const wrong of ["postgres://me:secret@127.0.0.1:1/tazuna", missing, socketless]) {
      const opened = await openDatabase({ kind: "postgres", url: wrong }, options);
      refusals.push(opened._unsafeUnwrapErr());
    }
    expect(refusals.map(({ code }) => code)).toEqual(Array(3).fill("database_unreachable"));
    for (const { remedy } of refusals) expect(remedy).toStartWith("Check the address");
    expect(JSON.stringify(refusals)).not.toContain("secret");
  }, 180_000);
});
