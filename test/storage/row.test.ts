import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { readCursor, writeCursor } from "../../src/storage/schema/cursor.ts";
import { StorageFailure } from "../../src/storage/schema/storage-error.ts";
import { getRepository, insertRepository } from "../../src/storage/tables/repositories.ts";
import { updateRun } from "../../src/storage/tables/run-moves.ts";
import { getRun, unfinishedRuns } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, sampleRepository } from "./sample-rows.ts";

describe("a row that is damaged", () => {
  for (const [column, value] of [
    ["failure", "{not json"],
    ["failure", '{"code":"melted","message":"","remedy":"","details":{}}'],
    ["notes", '{"a":1}'],
    ["status", "DREAMING"],
    ["created_at", "yesterday"],
    ["held", 2],
  ] as const)
    onBothDatabases(`is named with its table and what is wrong: ${column} ${value}`, async ({ db }) => {
      await transact(db, insertSampleRun);
      await transact(db, (trx) => sql`update runs set ${sql.ref(column)} = ${value}`.execute(trx));
      const failures = await Promise.all([
        getRun(db.reader, "run-1").catch((error) => error),
        column === "status" ? null : unfinishedRuns(db.reader).catch((error) => error),
      ]);
      for (const failure of failures.filter((one) => one !== null)) {
        expect(failure).toBeInstanceOf(StorageFailure);
        expect(failure.storage.code).toBe("database_corrupt");
        expect(failure.message).toMatch(
          new RegExp(`^The row run-1 of the table runs is damaged \\(${column}`),
        );
      }
    });
});

describe("text", () => {
  onBothDatabases(
    "of every kind comes back, but for NUL and half characters, which no database holds",
    async ({ db }) => {
      await transact(db, insertSampleRun);
      const store = async (instruction: string) => {
        await transact(db, (trx) =>
          updateRun(trx, { id: "run-1", expect: { epoch: null }, set: { instruction } }),
        );
        return (await getRun(db.reader, "run-1"))?.instruction;
      };
      for (const text of [
        "",
        " ",
        "'; drop table runs; --",
        "\\0 \\u0000 $1 ? :x",
        "水\r\n\t🌱\u{10FFFF}",
        "x".repeat(1_000_000),
      ])
        expect(await store(text)).toBe(text);
      expect(await store("a\0b")).toBe("a\u{FFFD}b");
      expect(await store("a\ud83cb")).toBe("a\u{FFFD}b");
    },
  );

  onBothDatabases("inside JSON comes back whatever it holds, keys too", async ({ db }) => {
    await transact(db, insertSampleRun);
    const keys = { snake_key: { inner_key: 1 }, camelKey: { innerKey: 1 } };
    const notes = [
      { code: "x", message: "a\0b", details: { "k\0": "\ud83c", n: 1e300, deep: [[[]]], ...keys } },
    ];
    await transact(db, (trx) => updateRun(trx, { id: "run-1", expect: { epoch: null }, set: { notes } }));
    expect((await getRun(db.reader, "run-1"))?.notes).toEqual(notes);
  });

  onBothDatabases("looks up what it stored, NUL included", async ({ db }) => {
    await transact(db, (trx) => insertRepository(trx, { ...sampleRepository, id: "a\0b" }, "worker-1"));
    expect((await getRepository(db.reader, "a\0b"))?.path).toBe(sampleRepository.path);
  });
});

describe("a time", () => {
  onBothDatabases("is stored in one form, whatever its own, so that text sorts as time", async ({ db }) => {
    await transact(db, insertSampleRun);
    const store = async (resumeAt: string | null) => {
      await transact(db, (trx) =>
        updateRun(trx, { id: "run-1", expect: { epoch: null }, set: { resumeAt } }),
      );
      return (await getRun(db.reader, "run-1"))?.resumeAt;
    };
    expect(await store("2026-01-02T12:00:00Z")).toBe("2026-01-02T12:00:00.000Z");
    expect(await store("2026-01-02T12:00:00.123456+09:00")).toBe("2026-01-02T03:00:00.123Z");
    expect(await store("2026-01-02")).toBe("2026-01-02T00:00:00.000Z");
    // What could not be read back is refused, and changes nothing.
    for (const wrong of ["soon", "", "+056789-01-01T00:00:00.000Z"])
      await expect(store(wrong)).rejects.toBeInstanceOf(RangeError);
    expect((await getRun(db.reader, "run-1"))?.resumeAt).toBe("2026-01-02T00:00:00.000Z");
    expect(await store(null)).toBeNull();
  });
});

describe("a cursor", () => {
  test("comes back as it was written, and nothing else is one", () => {
    const cursor = { at: "2026-01-02T12:00:00.000Z", id: "水/?&=+ '" };
    expect(readCursor(writeCursor(cursor))).toEqual(cursor);
    expect(writeCursor(cursor)).toMatch(/^[\w-]+$/);
    const NUL_INSIDE = writeCursor({ ...cursor, id: "\0" });
    for (const word of ["", "x", "bnVsbA", "W10", "WzEsMl0", "WyJhIl0", "%00", "☃", NUL_INSIDE])
      expect(readCursor(word)).toBeNull();
  });
});
