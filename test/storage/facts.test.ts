import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Fact } from "../../src/domain/operation.ts";
import { openDatabase } from "../../src/storage/database.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { StorageFailure } from "../../src/storage/schema/storage-error.ts";
import { appendFact, factsAfter, lastSeq, latestFacts } from "../../src/storage/tables/facts.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { postgres, postgresUrl } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { NOON } from "./sample-rows.ts";

const fact = (kind: string, more: Partial<Fact> = {}): Omit<Fact, "seq"> => ({
  at: NOON,
  kind,
  taskId: null,
  attemptId: null,
  runId: null,
  data: {},
  ...more,
});

const append = (db: Database, kind: string, more: Partial<Fact> = {}) =>
  transact(db, (trx) => appendFact(trx, fact(kind, more)));

/** Reads on from the last number seen, as every reader of facts does, until it is told to stop. */
function follow(db: Database): { readonly seen: Fact[]; stop(): Promise<Fact[]> } {
  const seen: Fact[] = [];
  let stopped = false;
  const read = async () => {
    const more = await factsAfter(db.reader, seen.at(-1)?.seq ?? 0, 7);
    seen.push(...more);
    return more.length;
  };
  const reading = (async () => {
    while (!stopped) if ((await read()) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    while ((await read()) > 0);
  })();
  return {
    seen,
    stop: async () => {
      stopped = true;
      await reading;
      return seen;
    },
  };
}

describe("facts", () => {
  onBothDatabases("are numbered in order and read back whole, in pages", async ({ db }) => {
    expect([await lastSeq(db.reader), await factsAfter(db.reader, 0, 10)]).toEqual([0, []]);
    const data = { text: "水 '\"\\ \u0000 \ud83c", nested: [{ a: null }], n: 1.5 };
    const first = await append(db, "task.created", { taskId: "task-1", data });
    const second = await append(db, "run.state", { attemptId: "attempt-1", runId: "run-1" });
    expect(second).toBeGreaterThan(first);
    expect(await factsAfter(db.reader, 0, 10)).toEqual([
      { seq: first, ...fact("task.created", { taskId: "task-1", data }) },
      { seq: second, ...fact("run.state", { attemptId: "attempt-1", runId: "run-1" }) },
    ]);
    const numbers = async (after: number, limit: number) =>
      (await factsAfter(db.reader, after, limit)).map(({ seq }) => seq);
    expect(await numbers(0, 1)).toEqual([first]);
    expect(await numbers(first, 1)).toEqual([second]);
    expect(await numbers(second, 1)).toEqual([]);
    expect(await lastSeq(db.reader)).toBe(second);
  });

  onBothDatabases("never take a number again, not even after a rollback or a deletion", async ({ db }) => {
    const first = await append(db, "one");
    await transact(db, async (trx) => {
      await appendFact(trx, fact("undone"));
      throw new Error("no");
    }).catch(() => undefined);
    const second = await append(db, "two");
    await transact(db, (trx) => trx.deleteFrom("facts").execute());
    const third = await append(db, "three");
    expect(first < second && second < third).toBe(true);
  });

  onBothDatabases("tell the latest of a kind for each run", async ({ db }) => {
    await append(db, "run.action", { runId: "a", data: { n: 1 } });
    await append(db, "run.action", { runId: "b", data: { n: 2 } });
    await append(db, "run.action", { runId: "a", data: { n: 3 } });
    await append(db, "run.state", { runId: "a", data: { n: 4 } });
    await append(db, "run.action", { runId: "c", data: { n: 5 } });
    const latest = await latestFacts(db.reader, { kind: "run.action", runIds: ["a", "b", "d"] });
    expect([...latest].map(([id, { data }]) => [id, data.n]).sort()).toEqual([
      ["a", 3],
      ["b", 2],
    ]);
    expect((await latestFacts(db.reader, { kind: "run.action", runIds: [] })).size).toBe(0);
  });

  onBothDatabases(
    "reach a reader in order with none missed while several programs write",
    async ({ db, open }) => {
      const writers = db.kind === "postgres" ? [db, await open(), await open()] : [db];
      const readers = [follow(db), follow(await open())];
      const written: number[] = [];
      await Promise.all(
        writers.flatMap((writer, w) =>
          Array.from({ length: 40 }, (_, n) =>
            transact(writer, async (trx) => {
              const seqs = [
                await appendFact(trx, fact(`${w}.${n}.a`)),
                await appendFact(trx, fact(`${w}.${n}.b`)),
              ];
              // Some transactions take longer than others after their number is taken.
              if (n % 3 === 0) await sql`select 1`.execute(trx);
              if (n % 7 === 0) throw new Error("no");
              return seqs;
            }).then(
              (seqs) => written.push(...seqs),
              () => undefined,
            ),
          ),
        ),
      );
      written.sort((a, b) => a - b);
      for (const reader of readers) expect((await reader.stop()).map(({ seq }) => seq)).toEqual(written);
    },
  );
});

const skipped = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

describe.skipIf(skipped !== "")(deep(`facts on Postgres${skipped}`), () => {
  async function twoPrograms(body: (one: Database, other: Database) => Promise<void>): Promise<void> {
    const url = await postgresUrl();
    const target = {
      kind: "postgres",
      url,
      schema: `Test "${randomBytes(8).toString("hex")}" \\ 水`,
    } as const;
    const options = { backupDir: "/nowhere", programVersion: "0.1.0" };
    const one = (await openDatabase(target, options))._unsafeUnwrap();
    const other = (await openDatabase(target, options))._unsafeUnwrap();
    try {
      await body(one, other);
    } finally {
      await other.close();
      await sql`drop schema ${sql.id(target.schema)} cascade`.execute(one.reader.withoutPlugins());
      await one.close();
    }
  }

  test("a transaction that took its number first is seen first, however late it commits", async () => {
    await twoPrograms(async (one, other) => {
      const reader = follow(one);
      const numbered = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const early = transact(one, async (trx) => {
        await appendFact(trx, fact("early"));
        numbered.resolve();
        await end.promise;
      });
      await numbered.promise;
      const late = append(other, "late");
      await waitFor("the later transaction to wait for its turn", async () => {
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from pg_locks where locktype = 'advisory' and not granted`.execute(
          other.reader,
        );
        return (rows[0]?.n ?? 0) > 0;
      });
      expect(reader.seen).toEqual([]);
      end.resolve();
      await Promise.all([early, late]);
      expect((await reader.stop()).map(({ kind }) => kind)).toEqual(["early", "late"]);
    });
  }, 180_000);

  test("without that turn a reader would miss one: the hazard is real", async () => {
    await twoPrograms(async (one, other) => {
      const insert = (kind: string) =>
        sql`insert into facts (at, kind, data) values (${NOON}, ${kind}, '{}')`;
      const numbered = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const early = one.writes.kysely.transaction().execute(async (trx) => {
        await insert("early").execute(trx);
        numbered.resolve();
        await end.promise;
      });
      await numbered.promise;
      const reader = follow(one);
      await insert("late").execute(other.writes.kysely);
      await waitFor("the reader to go past the number that is not there yet", () => reader.seen.length > 0);
      end.resolve();
      await early;
      expect((await reader.stop()).map(({ kind }) => kind)).toEqual(["late"]);
      expect((await factsAfter(one.reader, 0, 10)).map(({ kind }) => kind)).toEqual(["early", "late"]);
    });
  }, 180_000);

  test("a connection that breaks in a transaction fails it by name and nothing else", async () => {
    await twoPrograms(async (one, other) => {
      const broken = await transact(one, async (trx) => {
        await appendFact(trx, fact("lost"));
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other.reader);
        await waitFor("the connection to be gone", async () => {
          const left = await sql`select 1 from pg_stat_activity where pid = ${rows[0]?.pid}`.execute(
            other.reader,
          );
          return left.rows.length === 0;
        });
        await appendFact(trx, fact("lost too"));
      }).catch((error) => error);
      expect(broken).toBeInstanceOf(StorageFailure);
      expect(broken.storage.code).toBe("database_unreachable");
      await append(one, "kept");
      expect((await factsAfter(other.reader, 0, 10)).map(({ kind }) => kind)).toEqual(["kept"]);
    });
  }, 180_000);
});
