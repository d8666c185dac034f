import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "kysely";
import { openDatabase } from "../../src/storage/database.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import type { WriteTransaction } from "../../src/storage/schema/schema.ts";
import { StorageFailure } from "../../src/storage/schema/storage-error.ts";
import { appendFact, factsAfter } from "../../src/storage/tables/facts.ts";
import { insertRepository, listRepositories } from "../../src/storage/tables/repositories.ts";
import { moveRun } from "../../src/storage/tables/run-moves.ts";
import { getRun } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { insertSampleRun, NOON, sampleRepository } from "./sample-rows.ts";

const fact = (kind: string) => ({
  at: NOON,
  kind,
  taskId: null,
  attemptId: null,
  runId: null,
  data: {},
});

const kinds = async (db: Database) => (await factsAfter(db.reader, 0, 1_000)).map(({ kind }) => kind);

/** Moves the sample run and announces it, as a journey does. */
async function moveAndAnnounce(trx: WriteTransaction): Promise<void> {
  await moveRun(trx, {
    id: "run-1",
    expect: { status: "PENDING", phase: "queued", epoch: null },
    to: { status: "PENDING", phase: "preparing" },
  });
  await appendFact(trx, fact("run.state"));
}

/** A promise and the function that keeps it. */
const gate = () => Promise.withResolvers<void>();

describe("a transaction", () => {
  onBothDatabases("that throws leaves nothing, and throws the same", async ({ db }) => {
    await transact(db, insertSampleRun);
    const thrown = new Error("no");
    const caught = await transact(db, async (trx) => {
      await moveAndAnnounce(trx);
      throw thrown;
    }).catch((error) => error);
    expect(caught).toBe(thrown);
    expect([(await getRun(db.reader, "run-1"))?.phase, await kinds(db)]).toEqual(["queued", []]);
    await transact(db, moveAndAnnounce);
    expect([(await getRun(db.reader, "run-1"))?.phase, await kinds(db)]).toEqual([
      "preparing",
      ["run.state"],
    ]);
  });

  onBothDatabases("is not seen by readers before it ends, and all of it after", async ({ db, open }) => {
    await transact(db, insertSampleRun);
    const other = await open();
    const written = gate();
    const end = gate();
    const writing = transact(db, async (trx) => {
      await moveAndAnnounce(trx);
      expect((await getRun(trx, "run-1"))?.phase).toBe("preparing");
      written.resolve();
      await end.promise;
    });
    await written.promise;
    for (const reader of [db, other])
      expect([(await getRun(reader.reader, "run-1"))?.phase, await kinds(reader)]).toEqual(["queued", []]);
    end.resolve();
    await writing;
    for (const reader of [db, other])
      expect([(await getRun(reader.reader, "run-1"))?.phase, await kinds(reader)]).toEqual([
        "preparing",
        ["run.state"],
      ]);
  });

  onBothDatabases(
    "waits for those that were asked for before, in their order, failed ones too",
    async ({ db }) => {
      const order: number[] = [];
      const jobs = Array.from({ length: 20 }, (_, n) =>
        transact(db, async (trx) => {
          order.push(n);
          await appendFact(trx, fact(`fact ${n}`));
          if (n % 5 === 0) throw new Error("no");
        }).catch(() => undefined),
      );
      await Promise.all(jobs);
      expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
      expect(await kinds(db)).toEqual(order.filter((n) => n % 5 !== 0).map((n) => `fact ${n}`));
    },
  );

  onBothDatabases(
    "in which a statement failed cannot be committed, even if the failure is swallowed",
    async ({ db }) => {
      await transact(db, (trx) => insertRepository(trx, sampleRepository, "worker-1"));
      const swallowing = transact(db, async (trx) => {
        await appendFact(trx, fact("before"));
        await insertRepository(trx, { ...sampleRepository, id: "repo-2" }, "worker-1").catch(() => undefined);
      });
      await expect(swallowing).rejects.toThrow();
      const goingOn = transact(db, async (trx) => {
        await insertRepository(trx, { ...sampleRepository, id: "repo-2" }, "worker-1").catch(() => undefined);
        await appendFact(trx, fact("after"));
      });
      await expect(goingOn).rejects.toThrow();
      expect([await kinds(db), await listRepositories(db.reader, null)]).toEqual([[], [sampleRepository]]);
    },
  );

  onBothDatabases("inside another one is refused instead of waiting for ever", async ({ db, open }) => {
    const nested = transact(db, async (trx) => {
      await appendFact(trx, fact("outer"));
      await transact(db, (inner) => appendFact(inner, fact("inner")));
    });
    await expect(nested).rejects.toThrow("transact was called inside transact");
    expect(await kinds(db)).toEqual([]);
    // What was begun inside and goes on after the end is no nesting.
    const end = gate();
    let later: Promise<unknown> = Promise.resolve();
    await transact(db, async (trx) => {
      await appendFact(trx, fact("first"));
      later = end.promise.then(() => transact(db, (next) => appendFact(next, fact("second"))));
    });
    end.resolve();
    await later;
    expect(await kinds(await open())).toEqual(["first", "second"]);
  });

  onBothDatabases("is refused when it names what is not there", async ({ db }) => {
    await transact(db, insertSampleRun);
    const wrong = transact(db, (trx) => sql`update runs set attempt_id = 'nobody'`.execute(trx));
    await expect(wrong).rejects.toThrow(/foreign key/i);
  });

  onBothDatabases(
    "that was asked for before the end is still made, one after it is refused",
    async ({ open }) => {
      const db = await open();
      const asked = transact(db, (trx) => appendFact(trx, fact("asked")));
      const closing = db.close();
      await asked;
      await closing;
      await expect(transact(db, (trx) => appendFact(trx, fact("late")))).rejects.toThrow();
      expect(await kinds(await open())).toEqual(["asked"]);
    },
  );
});

describe("a transaction that another program is in the way of", () => {
  test("is refused as locked on SQLite, with nothing of it stored, and works afterwards", async () => {
    await using folder = await tempDir();
    const options = { backupDir: folder.path, programVersion: "0.1.0", busyTimeoutMs: 20 };
    const target = { kind: "sqlite", file: join(folder.path, "tazuna.db") } as const;
    const db = (await openDatabase(target, options))._unsafeUnwrap();
    const other = (await openDatabase(target, options))._unsafeUnwrap();
    const end = gate();
    const begun = gate();
    const holding = transact(other, async (trx) => {
      await appendFact(trx, fact("theirs"));
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    let calls = 0;
    const ours = async (trx: WriteTransaction) => {
      calls += 1;
      await appendFact(trx, fact("ours"));
    };
    const refused = await transact(db, ours).catch((error) => error);
    expect(refused).toBeInstanceOf(StorageFailure);
    expect([refused.storage.code, calls]).toEqual(["database_locked", 0]);
    end.resolve();
    await holding;
    await transact(db, ours);
    expect(await kinds(db)).toEqual(["theirs", "ours"]);
    await db.close();
    await other.close();
  });

  onBothDatabases(
    "is run again after a deadlock or a serialization failure, three times at most",
    async ({ db }) => {
      const passing = (code: string) => Object.assign(new Error("try again"), { code });
      const code = db.kind === "postgres" ? "40P01" : "SQLITE_BUSY";
      let calls = 0;
      await transact(db, async (trx) => {
        calls += 1;
        await appendFact(trx, fact(`try ${calls}`));
        if (calls < 3) throw passing(code);
      });
      expect([calls, await kinds(db)]).toEqual([3, ["try 3"]]);
      const hopeless = transact(db, async (trx) => {
        calls += 1;
        await appendFact(trx, fact("hopeless"));
        throw passing(code);
      });
      await expect(hopeless).rejects.toThrow("try again");
      expect([calls, await kinds(db)]).toEqual([6, ["try 3"]]);
    },
  );
});

describe("a full disk", () => {
  test("fails the transaction on SQLite, keeps what was there, and is over when there is room again", async () => {
    await using folder = await tempDir();
    const target = { kind: "sqlite", file: join(folder.path, "tazuna.db") } as const;
    const db = (
      await openDatabase(target, { backupDir: folder.path, programVersion: "0.1.0" })
    )._unsafeUnwrap();
    await transact(db, insertSampleRun);
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db.writes.kysely);
    const limit = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db.writes.kysely);
    await limit((rows[0]?.page_count ?? 0) + 4);
    const big = { ...fact("big"), data: { text: "x".repeat(100_000) } };
    const refused = await transact(db, async (trx) => {
      await moveAndAnnounce(trx);
      await appendFact(trx, big);
    }).catch((error) => error);
    expect(refused).toBeInstanceOf(StorageFailure);
    expect(refused.storage.code).toBe("disk_full");
    // Going on after the failure would write outside of the transaction, which SQLite has already undone.
    const goingOn = await transact(db, async (trx) => {
      await appendFact(trx, big).catch(() => undefined);
      await moveAndAnnounce(trx);
    }).catch((error) => error);
    expect(goingOn).toBeInstanceOf(Error);
    expect([(await getRun(db.reader, "run-1"))?.phase, await kinds(db)]).toEqual(["queued", []]);
    await limit(1_000_000);
    await transact(db, moveAndAnnounce);
    expect([(await getRun(db.reader, "run-1"))?.phase, await kinds(db)]).toEqual([
      "preparing",
      ["run.state"],
    ]);
    await db.close();
  });
});
