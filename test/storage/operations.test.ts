import { describe, expect } from "bun:test";
import { sql } from "kysely";
import type { Operation } from "../../src/domain/operation.ts";
import {
  endOperation,
  insertOperation,
  intendedOperations,
  pageOperations,
} from "../../src/storage/tables/operations.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { NOON } from "./sample-rows.ts";

const intended: Operation = {
  id: "op-1",
  kind: "worktree_add",
  subject: { type: "attempt", id: "attempt-1" },
  before: { path: "/x", head: null },
  after: null,
  status: "intended",
  undoable: false,
  commands: null,
  actor: null,
  at: NOON,
  endedAt: null,
};
const later = {
  ...intended,
  id: "op-0",
  at: "2026-01-02T12:00:01.000Z",
  subject: { type: "run", id: "run-1" },
} as const;

describe("operations", () => {
  onBothDatabases("are written before the act and again after it, once", async ({ db }) => {
    const all = async () =>
      (await pageOperations(db.reader, { subjects: null, cursor: null, limit: 50 })).items;
    await transact(db, (trx) => insertOperation(trx, intended));
    expect(await all()).toEqual([intended]);
    const end = {
      id: "op-1",
      status: "done" as const,
      after: { head: "abc" },
      undoable: true,
      commands: ["git worktree add /x"],
      endedAt: NOON,
    };
    const finish = (how: Parameters<typeof endOperation>[1]) => transact(db, (trx) => endOperation(trx, how));
    expect(await finish(end)).toBe("ended");
    expect(await finish({ ...end, status: "failed" })).toBe("lost");
    expect(await finish({ ...end, id: "op-2" })).toBe("lost");
    expect(await all()).toEqual([{ ...intended, ...end }]);
  });

  onBothDatabases("that were begun and not ended are found, oldest first", async ({ db }) => {
    await transact(db, async (trx) => {
      await insertOperation(trx, later);
      await insertOperation(trx, intended);
      await insertOperation(trx, { ...intended, id: "op-2", status: "done", endedAt: NOON });
    });
    expect(await intendedOperations(db.reader)).toEqual([intended, later]);
  });

  onBothDatabases("are listed newest first, in pages, of all subjects or of some", async ({ db }) => {
    await transact(db, async (trx) => {
      await insertOperation(trx, intended);
      await insertOperation(trx, later);
      await insertOperation(trx, { ...intended, id: "op-2", subject: { type: "repository", id: "repo-1" } });
    });
    const list = async (subjects: readonly string[] | null) => {
      const ids: string[] = [];
      let cursor: Parameters<typeof pageOperations>[1]["cursor"] = null;
      do {
        const page = await pageOperations(db.reader, { subjects, cursor, limit: 1 });
        ids.push(...page.items.map(({ id }) => id));
        cursor = page.next;
      } while (cursor !== null);
      return ids;
    };
    expect(await list(null)).toEqual(["op-0", "op-2", "op-1"]);
    expect(await list(["attempt-1", "run-1"])).toEqual(["op-0", "op-1"]);
    expect(await list(["nobody"])).toEqual([]);
    expect(await list([])).toEqual([]);
  });
});

describe("operations that are searched", () => {
  onBothDatabases(
    "are found by words, by kinds that words mean, by group, and if they can be undone",
    async ({ db }) => {
      await transact(db, async (trx) => {
        await insertOperation(trx, { ...intended, before: { path: "/Src/100%_a\\b" } });
        await insertOperation(trx, { ...later, kind: "ref_restored", before: { ref: "refs/heads/X" } });
        await insertOperation(trx, { ...intended, id: "op-2", kind: "push", status: "done", undoable: true });
      });
      type Asked = Omit<Parameters<typeof pageOperations>[1], "subjects" | "cursor" | "limit">;
      const found = async (asked: Asked) => {
        const page = await pageOperations(db.reader, { subjects: null, cursor: null, limit: 9, ...asked });
        return page.items.map(({ id }) => id);
      };
      expect(await found({ words: ["src", "WORKTREE"] })).toEqual(["op-1"]);
      expect(await found({ words: ["100%_a\\\\b"] })).toEqual(["op-1"]);
      expect(await found({ words: ["%"] })).toEqual(["op-1"]);
      expect(await found({ words: ["heads/x"] })).toEqual(["op-0"]);
      expect(await found({ words: ["nothing"], named: ["push"] })).toEqual(["op-2"]);
      expect(await found({ group: "stepped" })).toEqual(["op-0"]);
      expect(await found({ group: "worktrees" })).toEqual(["op-1"]);
      expect(await found({ group: "git" })).toEqual(["op-2"]);
      expect(await found({ undoable: true })).toEqual(["op-2"]);
    },
  );
});

describe("an operation whose subject is damaged", () => {
  onBothDatabases("is named with the column of the damaged part", async ({ db }) => {
    await transact(db, (trx) => insertOperation(trx, intended));
    await transact(db, (trx) => sql`update operations set subject_type = 'planet'`.execute(trx));
    await expect(intendedOperations(db.reader)).rejects.toThrow(
      /^The row op-1 of the table operations is damaged \(subject_type: /,
    );
  });
});
