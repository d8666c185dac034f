import { describe, expect } from "bun:test";
import { pageAttempts, pageRuns } from "../../src/storage/queries/newest-first.ts";
import type { Cursor, Page } from "../../src/storage/schema/cursor.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { insertAttempt } from "../../src/storage/tables/attempts.ts";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { insertRun } from "../../src/storage/tables/runs.ts";
import { insertTask } from "../../src/storage/tables/tasks.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { sampleAttempt, sampleRepository, sampleRun, sampleTask } from "./sample-rows.ts";

/** Ids and times sort unlike a dictionary of words; several share a time. */
const IDS = ["b", "A", "a", "B", "_", "0", "z", "Z"];
const NEWEST_FIRST = ["z", "Z", "_", "B", "0", "b", "a", "A"];

const at = (n: number) => `2026-01-02T12:00:0${Math.floor(n / 3)}.000Z`;

/** One task per id, with one attempt of two runs. */
async function insertEverything(db: Database): Promise<void> {
  await transact(db, async (trx) => {
    await insertRepository(trx, sampleRepository, "worker-1");
    for (const [n, id] of IDS.entries()) {
      await insertTask(trx, { ...sampleTask, id: `task ${id}` });
      await insertAttempt(trx, {
        ...sampleAttempt,
        id,
        taskId: `task ${id}`,
        worktree: `/${id}`,
        createdAt: at(n),
      });
      for (const run of ["y", "x"])
        await insertRun(trx, { ...sampleRun, id: `${id}${run}`, attemptId: id, createdAt: at(n) });
    }
  });
}

async function pages<T>(read: (cursor: Cursor | null) => Promise<Page<T>>): Promise<readonly T[][]> {
  const found: T[][] = [];
  for (let cursor: Cursor | null = null, more = true; more; more = cursor !== null) {
    const page = await read(cursor);
    found.push([...page.items]);
    cursor = page.next;
  }
  return found;
}

describe("newest first, each once, however the pages are cut", () => {
  onBothDatabases("come attempts, with their runs by number", async ({ db }) => {
    await insertEverything(db);
    for (const limit of [1, 3, 8, 50]) {
      const found = await pages((cursor) => pageAttempts(db.reader, { cursor, limit }));
      expect(found.map((page) => page.length <= limit)).toEqual(found.map(() => true));
      expect(found.flat().map(({ attempt, runs }) => [attempt.id, ...runs.map(({ id }) => id)])).toEqual(
        NEWEST_FIRST.map((id) => [id, `${id}y`, `${id}x`]),
      );
    }
  });

  onBothDatabases("come runs, each with its task", async ({ db }) => {
    await insertEverything(db);
    for (const limit of [1, 5, 16, 50]) {
      const found = await pages((cursor) => pageRuns(db.reader, { cursor, limit }));
      expect(found.flat().map(({ run, taskId }) => [run.id, taskId])).toEqual(
        NEWEST_FIRST.flatMap((id) => [
          [`${id}y`, `task ${id}`],
          [`${id}x`, `task ${id}`],
        ]),
      );
    }
  });

  onBothDatabases("begin at a time, however that is written", async ({ db }) => {
    await insertEverything(db);
    const whole = ["2026-01-02T12:00:02Z", "2026-01-02T12:00:02.000000Z", "2026-01-02T12:00:02.000Z"];
    for (const since of whole) {
      const page = { cursor: null, limit: 50, since };
      const { items: attempts } = await pageAttempts(db.reader, page);
      const { items: runs } = await pageRuns(db.reader, page);
      expect([attempts.map(({ attempt }) => attempt.id), runs.length]).toEqual([["z", "Z"], 4]);
    }
  });

  onBothDatabases("comes nothing where nothing is", async ({ db }) => {
    expect([
      await pageAttempts(db.reader, { cursor: null, limit: 50 }),
      await pageRuns(db.reader, { cursor: null, limit: 50 }),
    ]).toEqual([
      { items: [], next: null },
      { items: [], next: null },
    ]);
  });
});
