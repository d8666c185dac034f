import { describe, expect } from "bun:test";
import {
  findBrowser,
  insertBrowser,
  listBrowsers,
  noteBrowserSeen,
  signedInAmong,
  signOut,
} from "../../src/storage/access/browsers.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { registerWorker } from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";

const HOUR = 3_600_000;
const LONG_AGO = "2026-01-01T00:00:00.000Z";

function insert(
  db: Database,
  id: string,
  options: { readonly lifeMs?: number; readonly most?: number } = {},
) {
  const browser = {
    id,
    hash: `hash-${id}`,
    userAgent: "Firefox on Linux",
    personId: null,
    workerId: "worker-1",
  };
  return transact(db, (trx) => insertBrowser(trx, browser, { lifeMs: HOUR, most: 100, ...options }));
}

const set = (db: Database, id: string, columns: { lastSeenAt?: string; expiresAt?: string }) =>
  db.writes.kysely.updateTable("browsers").set(columns).where("id", "=", id).execute();

const idsOf = async (db: Database) => (await listBrowsers(db.reader)).map(({ id }) => id).toSorted();
const allIds = async (db: Database) =>
  (await db.reader.selectFrom("browsers").select("id").execute()).map(({ id }) => id).toSorted();

describe("browsers that are signed in", () => {
  onBothDatabases("are found by the hash of their secret until they are signed out", async ({ db, open }) => {
    await transact(db, (trx) =>
      registerWorker(trx, { id: "worker-1", version: "1", slots: 1, host: "mac-7" }),
    );
    await insert(db, "a");
    await insert(db, "b");
    const other = await open();
    expect((await findBrowser(other.reader, "hash-a"))?.id).toBe("a");
    expect(await findBrowser(other.reader, "hash-c")).toBeNull();
    expect(await signedInAmong(other.reader, ["a", "b", "c"])).toEqual(new Set(["a", "b"]));
    const end = () => transact(other, (trx) => signOut(trx, ["a", "c"]));
    expect([await end(), await end(), await transact(db, (trx) => signOut(trx, []))]).toEqual([
      ["a"],
      [],
      [],
    ]);
    expect(await findBrowser(db.reader, "hash-a")).toBeNull();
    expect(await signedInAmong(db.reader, ["a", "b"])).toEqual(new Set(["b"]));
    const [left, ...more] = await listBrowsers(db.reader);
    expect([left?.id, left?.worker, left?.signedOutAt, more]).toEqual(["b", "mac-7", null, []]);
    expect(Date.parse(left?.expiresAt ?? "") - Date.parse(left?.createdAt ?? "")).toBe(HOUR);
  });

  onBothDatabases("end by the database's clock, and are forgotten at the next sign-in", async ({ db }) => {
    await insert(db, "a");
    await insert(db, "over", { lifeMs: 0 });
    expect([await findBrowser(db.reader, "hash-over"), await idsOf(db)]).toEqual([null, ["a"]]);
    expect(await transact(db, (trx) => signOut(trx, ["over"]))).toEqual([]);
    await insert(db, "b");
    expect(await allIds(db)).toEqual(["a", "b"]);
  });

  onBothDatabases("too many of them make room: first those that were signed out", async ({ db }) => {
    for (const [index, id] of ["a", "b", "c", "d"].entries()) {
      await insert(db, id);
      await set(db, id, { lastSeenAt: `2026-01-0${index + 1}T00:00:00.000Z` });
    }
    await transact(db, (trx) => signOut(trx, ["c"]));
    await insert(db, "e", { most: 4 });
    expect(await allIds(db)).toEqual(["a", "b", "d", "e"]);
    await insert(db, "f", { most: 3 });
    expect(await allIds(db)).toEqual(["d", "e", "f"]);
  });

  onBothDatabases(
    "a visit is noted at most once in a time, by however many servers",
    async ({ db, open }) => {
      await insert(db, "a");
      const other = await open();
      const seen = async () => (await listBrowsers(db.reader))[0]?.lastSeenAt;
      const first = await seen();
      const note = (at: Database) => noteBrowserSeen(at, { id: "a", everyMs: HOUR });
      await note(db);
      expect(await seen()).toBe(first);
      await set(db, "a", { lastSeenAt: LONG_AGO });
      expect((await findBrowser(db.reader, "hash-a"))?.seenAgoMs).toBeGreaterThan(HOUR);
      await Promise.all([note(db), note(other), note(db)]);
      expect(Date.parse((await seen()) ?? "")).toBeGreaterThanOrEqual(Date.parse(first ?? ""));
      expect((await findBrowser(db.reader, "hash-a"))?.seenAgoMs).toBeLessThan(HOUR);
    },
  );

  onBothDatabases("a visit beside a sign-out brings nobody back", async ({ db, open }) => {
    const other = await open();
    for (let round = 0; round < 20; round += 1) {
      const id = `r${round}`;
      await insert(db, id);
      await set(db, id, { lastSeenAt: LONG_AGO });
      await Promise.all([
        noteBrowserSeen(other, { id, everyMs: HOUR }),
        transact(db, (trx) => signOut(trx, [id])),
        noteBrowserSeen(db, { id, everyMs: HOUR }),
      ]);
      expect(await findBrowser(other.reader, `hash-${id}`)).toBeNull();
      await set(db, id, { lastSeenAt: LONG_AGO });
      await noteBrowserSeen(db, { id, everyMs: HOUR });
    }
    const rows = await db.reader.selectFrom("browsers").select("lastSeenAt").execute();
    expect(new Set(rows.map(({ lastSeenAt }) => lastSeenAt))).toEqual(new Set([LONG_AGO]));
  });

  onBothDatabases("a thousand of them are listed and signed out at once", async ({ db }) => {
    const ids = Array.from({ length: 1_000 }, (_, at) => `b${at}`);
    const rest = {
      userAgent: "",
      workerId: "w",
      createdAt: LONG_AGO,
      lastSeenAt: LONG_AGO,
      signedOutAt: null,
    };
    for (let at = 0; at < ids.length; at += 100)
      await db.writes.kysely
        .insertInto("browsers")
        .values(
          ids
            .slice(at, at + 100)
            .map((id) => ({ id, hash: id, ...rest, expiresAt: "2100-01-01T00:00:00.000Z" })),
        )
        .execute();
    expect((await signedInAmong(db.reader, ids)).size).toBe(1_000);
    expect((await transact(db, (trx) => signOut(trx, ids))).length).toBe(1_000);
    expect(await idsOf(db)).toEqual([]);
  });
});
