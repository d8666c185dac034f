import { describe, expect } from "bun:test";
import type { Kysely } from "kysely";
import type { Cursor } from "../../src/storage/schema/cursor.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import type { Schema } from "../../src/storage/schema/schema.ts";
import { insertAttempt, updateAttempt } from "../../src/storage/tables/attempts.ts";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { insertRun } from "../../src/storage/tables/runs.ts";
import {
  getTask,
  getTaskTree,
  insertTask,
  pageTasks,
  type TaskTree,
} from "../../src/storage/tables/tasks.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { sampleAttempt, sampleRepository, sampleRun, sampleTask } from "./sample-rows.ts";

/** Tasks whose ids and times sort unlike a dictionary of words; several share a time. */
const TASKS = ["b", "A", "a", "B", "_", "0", "z", "Z"].map((id, n) => ({
  ...sampleTask,
  id,
  createdAt: `2026-01-02T12:00:0${Math.floor(n / 3)}.000Z`,
}));
const NEWEST_FIRST = ["z", "Z", "_", "B", "0", "b", "a", "A"];

async function insertTasks(db: Database): Promise<void> {
  await transact(db, async (trx) => {
    await insertRepository(trx, sampleRepository, "worker-1");
    for (const task of TASKS) {
      await insertTask(trx, task);
      for (const n of [1, 2]) {
        const attempt = {
          ...sampleAttempt,
          id: `${task.id}${n}`,
          worktree: `/${task.id}${n}`,
          taskId: task.id,
        };
        await insertAttempt(trx, attempt);
        for (const run of ["y", "x"])
          await insertRun(trx, { ...sampleRun, id: `${attempt.id}${run}`, attemptId: attempt.id });
      }
    }
  });
}

async function pages(db: Database, query: { all: boolean; limit: number }): Promise<string[][]> {
  const found: string[][] = [];
  let cursor: Cursor | null = null;
  do {
    const page: Awaited<ReturnType<typeof pageTasks>> = await pageTasks(db.reader, { ...query, cursor });
    found.push(page.items.map(({ task }) => task.id));
    cursor = page.next;
  } while (cursor !== null);
  return found;
}

const outline = (tree: TaskTree | null | undefined) =>
  tree?.attempts.map(({ attempt, runs }) => [attempt.id, ...runs.map(({ id }) => id)]);

describe("tasks", () => {
  onBothDatabases(
    "seed 003 Related files: tasks are read back whole (departs: `domain/models.py` is one file for each entity)",
    async ({ db }) => {
      const settings = { base: "main", "limits.timeout_s": 60 } as const;
      const task = {
        ...sampleTask,
        context: "c",
        constraints: "",
        base: "main",
        publish: "hold",
        settings,
      } as const;
      await transact(db, async (trx) => {
        await insertRepository(trx, sampleRepository, "worker-1");
        await insertTask(trx, task);
      });
      expect(await getTask(db.reader, "task-1")).toEqual(task);
      expect(await getTask(db.reader, "task-2")).toBeNull();
      expect(await getTaskTree(db.reader, "task-1")).toEqual({ task, attempts: [] });
      expect(await getTaskTree(db.reader, "task-2")).toBeNull();
    },
  );

  onBothDatabases("come with their attempts and runs, by number", async ({ db }) => {
    await insertTasks(db);
    expect(outline(await getTaskTree(db.reader, "a"))).toEqual([
      ["a1", "a1y", "a1x"],
      ["a2", "a2y", "a2x"],
    ]);
    const page = await pageTasks(db.reader, { all: true, cursor: null, limit: 2 });
    expect(page.items.map(outline)).toEqual([
      [
        ["z1", "z1y", "z1x"],
        ["z2", "z2y", "z2x"],
      ],
      [
        ["Z1", "Z1y", "Z1x"],
        ["Z2", "Z2y", "Z2x"],
      ],
    ]);
  });

  onBothDatabases("are listed newest first, each once, however the pages are cut", async ({ db }) => {
    expect(await pages(db, { all: true, limit: 3 })).toEqual([[]]);
    await insertTasks(db);
    for (const limit of [1, 3, 8, 9])
      expect((await pages(db, { all: true, limit })).flat()).toEqual(NEWEST_FIRST);
    expect(await pages(db, { all: true, limit: 4 })).toEqual([
      NEWEST_FIRST.slice(0, 4),
      NEWEST_FIRST.slice(4),
    ]);
  });

  onBothDatabases("are left out once no attempt is open, unless all are wanted", async ({ db }) => {
    await insertTasks(db);
    await transact(db, async (trx) => {
      for (const id of ["Z1", "Z2", "b1", "b2", "a1"])
        await updateAttempt(trx, { id, set: { state: id.startsWith("Z") ? "canceled" : "removed" } });
      await insertTask(trx, { ...sampleTask, id: "empty", createdAt: "2027-01-01T00:00:00.000Z" });
    });
    expect((await pages(db, { all: false, limit: 3 })).flat()).toEqual(["z", "_", "B", "0", "a", "A"]);
    expect((await pages(db, { all: true, limit: 3 })).flat()).toEqual(["empty", ...NEWEST_FIRST]);
    await transact(db, async (trx) => {
      await insertAttempt(trx, { ...sampleAttempt, id: "again", worktree: "/again", taskId: "b" });
      await updateAttempt(trx, { id: "Z2", set: { state: "open" } });
    });
    expect((await pages(db, { all: false, limit: 3 })).flat()).toEqual([
      "z",
      "Z",
      "_",
      "B",
      "0",
      "b",
      "a",
      "A",
    ]);
  });

  onBothDatabases("are listed with three queries, however many there are", async ({ db }) => {
    await insertTasks(db);
    const counted = counting(db.reader);
    await pageTasks(counted.reader, { all: false, cursor: null, limit: 50 });
    expect(counted.queries).toBe(3);
  });
});

/** The same reader, counting what it is asked. */
function counting(reader: Kysely<Schema>): { readonly reader: Kysely<Schema>; queries: number } {
  const counted = {
    queries: 0,
    reader: reader.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        counted.queries += 1;
        return result;
      },
    }),
  };
  return counted;
}
