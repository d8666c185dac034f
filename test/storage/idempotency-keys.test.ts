import { describe, expect } from "bun:test";
import {
  answerKey,
  claimKey,
  createdUnder,
  forgetKey,
  forgetKeysBefore,
  recordCreated,
} from "../../src/storage/tables/idempotency-keys.ts";
import { insertTask } from "../../src/storage/tables/tasks.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON, sampleTask } from "./sample-rows.ts";

const claim = { key: "k 鍵 '", bodyHash: "hash", at: NOON };

describe("an idempotency key", () => {
  onBothDatabases("answers the same request with the same answer, and no other", async ({ db }) => {
    const ask = (bodyHash: string) => transact(db, (trx) => claimKey(trx, { ...claim, bodyHash }));
    expect(await ask("hash")).toEqual({ kind: "new" });
    expect(await ask("hash")).toEqual({ kind: "same", answer: null });
    await transact(db, (trx) => answerKey(trx, { key: claim.key, answer: { task: "task-1", n: [1] } }));
    expect(await ask("hash")).toEqual({ kind: "same", answer: { task: "task-1", n: [1] } });
    expect(await ask("other")).toEqual({ kind: "other" });
  });

  onBothDatabases("is claimed by one of many that ask at once", async ({ db, open }) => {
    const asked = db.kind === "postgres" ? [db, await open(), db, await open()] : [db, db, db, db];
    const claims = await Promise.all(asked.map((one) => transact(one, (trx) => claimKey(trx, claim))));
    expect(claims.map(({ kind }) => kind).sort()).toEqual(["new", "same", "same", "same"]);
  });

  onBothDatabases("names what was created under it, together with that or not at all", async ({ db }) => {
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await claimKey(trx, claim);
    });
    const create = (id: string) =>
      transact(db, async (trx) => {
        await insertTask(trx, { ...sampleTask, id });
        await recordCreated(trx, { key: claim.key, id });
      });
    expect(await createdUnder(db.reader, claim.key)).toBeNull();
    await create("task-2");
    await expect(create("task-3")).rejects.toThrow("created under it before");
    expect(await createdUnder(db.reader, claim.key)).toBe("task-2");
    const tasks = await db.reader.selectFrom("tasks").select("id").orderBy("id").execute();
    expect(tasks.map(({ id }) => id)).toEqual(["task-1", "task-2"]);
  });

  onBothDatabases("lets one of several engines create, which carry out one request", async ({ db, open }) => {
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await claimKey(trx, claim);
    });
    const engines = db.kind === "postgres" ? [db, await open(), await open()] : [db, db, db];
    const ended = await Promise.allSettled(
      engines.map((engine, index) =>
        transact(engine, async (trx) => {
          await insertTask(trx, { ...sampleTask, id: `copy-${index}` });
          await recordCreated(trx, { key: claim.key, id: `copy-${index}` });
        }),
      ),
    );
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    const tasks = await db.reader.selectFrom("tasks").select("id").where("id", "like", "copy-%").execute();
    expect(tasks).toEqual([{ id: (await createdUnder(db.reader, claim.key)) ?? "none" }]);
  });

  onBothDatabases("is forgotten when its request failed, or when it is old", async ({ db }) => {
    await transact(db, async (trx) => {
      await claimKey(trx, claim);
      await claimKey(trx, { ...claim, key: "old", at: "2026-01-01T12:00:00.000Z" });
      await claimKey(trx, { ...claim, key: "young" });
      await forgetKey(trx, claim.key);
      await forgetKeysBefore(trx, NOON);
    });
    const keys = await db.reader.selectFrom("idempotencyKeys").select("key").execute();
    expect(keys).toEqual([{ key: "young" }]);
  });
});
