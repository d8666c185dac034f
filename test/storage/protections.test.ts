/** Tells who may say what the depot has of an attempt, and when that is news. */
import { expect } from "bun:test";
import { unprotectedOf } from "../../src/storage/queries/uncopied-attempts.ts";
import { takeLease } from "../../src/storage/tables/run-lease.ts";
import { readDepot, setDepot } from "../../src/storage/team/depot.ts";
import { getProtection, noteProtected, noteUnprotected } from "../../src/storage/team/protections.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, sampleAttempt, sampleRun } from "./sample-rows.ts";

const COPY = { ref: "refs/tazuna/live/a/r/1/1", sha: "s1", tree: "t1", base: "b1", runId: sampleRun.id };
const attemptId = sampleAttempt.id;

onBothDatabases("an owner that lost the lease says nothing more of the attempt", async ({ db }) => {
  await transact(db, insertSampleRun);
  const lease = (worker: string, forMs: number) =>
    transact(db, (trx) => takeLease(trx, { id: sampleRun.id, owner: worker, forMs }));
  const says = (worker: string, epoch: number | null, sha: string) =>
    transact(db, (trx) =>
      noteProtected(
        trx,
        { attemptId, worker, lease: epoch === null ? null : { id: sampleRun.id, epoch } },
        { ...COPY, sha },
      ),
    );
  const stale = await lease("a", -1);
  expect(await says("a", stale, "first")).toEqual({ isNews: false });
  const epoch = await lease("b", 600_000);
  expect(await says("b", epoch, "second")).toEqual({ isNews: false });
  for (const wrong of [stale, epoch, null]) expect(await says("a", wrong, "late")).toBeNull();
  expect(await says("b", stale, "late")).toBeNull();
  expect(
    await transact(db, (trx) => noteUnprotected(trx, { attemptId, worker: "a", lease: null }, "away")),
  ).toBeNull();
  expect(await getProtection(db.reader, attemptId)).toMatchObject({ sha: "second", unprotectedSince: null });
});

onBothDatabases("the begin and the end of a time without protection are news, once each", async ({ db }) => {
  await transact(db, async (trx) => {
    await insertSampleRun(trx);
    await trx.updateTable("attempts").set({ workerId: "a" }).execute();
  });
  const speaker = { attemptId, worker: "a", lease: null };
  const fails = (why: string) => transact(db, (trx) => noteUnprotected(trx, speaker, why));
  const works = () => transact(db, (trx) => noteProtected(trx, speaker, COPY));
  expect(await fails("away")).toEqual({ isNews: true });
  const { unprotectedSince: since } = (await getProtection(db.reader, attemptId)) ?? {};
  expect(await fails("still away")).toEqual({ isNews: false });
  expect(await getProtection(db.reader, attemptId)).toMatchObject({
    ...{ ref: null, protectedAt: null, unprotectedSince: since, trouble: "still away" },
  });
  expect(await unprotectedOf(db.reader, "a")).toEqual([attemptId]);
  expect(await unprotectedOf(db.reader, "b")).toEqual([]);
  expect(await works()).toEqual({ isNews: true });
  expect(await works()).toEqual({ isNews: false });
  expect(await getProtection(db.reader, attemptId)).toMatchObject({
    ...COPY,
    unprotectedSince: null,
    trouble: null,
  });
  expect(await unprotectedOf(db.reader, "a")).toEqual([]);
  // What was copied before stays known.
  expect(await fails("away")).toEqual({ isNews: true });
  expect(await getProtection(db.reader, attemptId)).toMatchObject({ ...COPY, trouble: "away" });
});

onBothDatabases("there is one depot or none", async ({ db }) => {
  const set = (to: Parameters<typeof setDepot>[1]) => transact(db, (trx) => setDepot(trx, to));
  expect(await readDepot(db.reader)).toBeNull();
  expect(await set(null)).toBe(false);
  expect(await set({ kind: "served", url: "https://one/depot" })).toBe(true);
  expect(await set({ kind: "served", url: "https://one/depot" })).toBe(false);
  expect(await set({ kind: "elsewhere", url: "file:///mnt" })).toBe(true);
  expect(await readDepot(db.reader)).toEqual({ id: "depot", kind: "elsewhere", url: "file:///mnt" });
  expect(await set(null)).toBe(true);
  expect(await readDepot(db.reader)).toBeNull();
});
