/** Holds the promise of migrations named `adds`: programs that do not know them work on beside them (ADR 0100). */
import { describe, expect, test } from "bun:test";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { openDatabase } from "../../src/storage/database.ts";
import { MIGRATIONS } from "../../src/storage/migrations/migrations.ts";
import {
  type DatabaseKind,
  type Migration,
  type Migrations,
  onlyAdds,
} from "../../src/storage/schema/migrator.ts";
import { getRun } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases, type TestDatabase } from "../helpers/databases.ts";
import { insertSampleRun, sampleRun } from "./sample-rows.ts";

const DIALECTS = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
};

/** What the migration would ask a database; none is asked. */
async function statementsOf(migration: Migration, kind: DatabaseKind): Promise<readonly string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: { ...DIALECTS[kind], createDriver: () => new DummyDriver() },
    log: ({ query }) => void statements.push(query.sql.replaceAll(/\s+/g, " ").trim()),
  });
  await migration.up(db, kind);
  return statements;
}

/** An index that is unique, or a column that must be given, would refuse what an older program writes. */
function isAddition(statement: string): boolean {
  if (/^create (table|index) /i.test(statement)) return true;
  const column = /^alter table \S+ add column (.*)$/i.exec(statement)?.[1];
  if (column === undefined || /\b(unique|references|check|primary)\b/i.test(column)) return false;
  return !/not null/i.test(column) || /default/i.test(column);
}

describe("a migration that is named `adds`", () => {
  const names = Object.keys(MIGRATIONS).filter(onlyAdds);
  test.each(names)("%s asks for nothing that an older program would notice", async (name) => {
    for (const kind of ["sqlite", "postgres"] as const) {
      const migration = MIGRATIONS[name];
      if (migration === undefined) throw new Error(`no migration ${name}`);
      const statements = await statementsOf(migration, kind);
      expect(statements.length).toBeGreaterThan(0);
      expect(statements.filter((statement) => !isAddition(statement))).toEqual([]);
    }
  });

  test("may not change what is there, nor refuse what an older program writes", () => {
    for (const other of [
      "alter table runs drop column mood",
      "update runs set mood = 1",
      "create unique index runs_mood on runs (mood)",
      "alter table runs add column mood text not null",
      "alter table runs add column mood text references moods",
      "drop index runs_newest",
    ])
      expect([other, isAddition(other)]).toEqual([other, false]);
    expect(names.length).toBeGreaterThan(0);
  });
});

const addsMood: Migration = {
  up: async (db) => {
    await sql`alter table runs add column mood text not null default 'calm'`.execute(db);
    await sql`create table moods (name text primary key)`.execute(db);
  },
};
const NEXT: Migrations = { ...MIGRATIONS, "9997-adds-moods": addsMood };
const CHANGED: Migrations = { ...NEXT, "9998-moods": { up: async () => undefined } };

const openWith = (
  on: TestDatabase,
  migrations: Migrations,
  mayMigrate: "all" | "additions" | "nothing" = "all",
) => openDatabase(on.target, { backupDir: on.backupDir, programVersion: "0.2.0", migrations, mayMigrate });

describe("a program that does not know the newest migrations", () => {
  onBothDatabases("works on if they only add, and its rows are whole for the newer one", async (on) => {
    await on.db.close();
    const newer = (await openWith(on, NEXT))._unsafeUnwrap();
    await newer.close();
    const older = (await openWith(on, MIGRATIONS))._unsafeUnwrap();
    await transact(older, insertSampleRun);
    expect((await getRun(older.reader, "run-1"))?.instruction).toBe(sampleRun.instruction);
    expect(await sql`select mood from runs`.execute(older.reader)).toMatchObject({
      rows: [{ mood: "calm" }],
    });
    await older.close();
  });

  onBothDatabases("is refused if one of them does more", async (on) => {
    await on.db.close();
    await (await openWith(on, CHANGED))._unsafeUnwrap().close();
    const refused = (await openWith(on, MIGRATIONS))._unsafeUnwrapErr();
    expect([refused.code, refused.message.includes("9998-moods")]).toEqual(["database_newer", true]);
  });
});

describe("a program that knows newer migrations, while others work", () => {
  onBothDatabases("applies those that only add, and no others; one that joined applies none", async (on) => {
    if (on.target.kind === "sqlite") return;
    expect((await openWith(on, NEXT, "nothing"))._unsafeUnwrapErr().code).toBe("database_older");
    const newer = (await openWith(on, NEXT, "additions"))._unsafeUnwrap();
    // The other program has been open all the time.
    await transact(on.db, insertSampleRun);
    expect((await getRun(newer.reader, "run-1"))?.id).toBe("run-1");
    await newer.close();
    expect((await openWith(on, CHANGED, "additions"))._unsafeUnwrapErr().code).toBe("database_older");
  });
});
