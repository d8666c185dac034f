import { describe, expect } from "bun:test";
import { findByPrefix } from "../../src/storage/queries/find-by-prefix.ts";
import { insertAttempt, updateAttempt } from "../../src/storage/tables/attempts.ts";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { insertRun } from "../../src/storage/tables/runs.ts";
import { insertTask } from "../../src/storage/tables/tasks.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { sampleAttempt, sampleRepository, sampleRun, sampleTask } from "./sample-rows.ts";

describe("the beginning of an id", () => {
  onBothDatabases("finds what it is the beginning of, or says that it is not enough", async ({ db }) => {
    await transact(db, async (trx) => {
      await insertRepository(trx, sampleRepository, "worker-1");
      await insertTask(trx, { ...sampleTask, id: "aa11" });
      await insertTask(trx, { ...sampleTask, id: "aA22" });
      await insertAttempt(trx, { ...sampleAttempt, id: "ab11", taskId: "aa11" });
      await insertRun(trx, { ...sampleRun, id: "ab22", attemptId: "ab11" });
      await insertRun(trx, { ...sampleRun, id: "ab2", attemptId: "ab11" });
      for (let n = 0; n < 12; n++) await insertTask(trx, { ...sampleTask, id: `cc${n}` });
    });
    const find = (prefix: string) => findByPrefix(db.reader, prefix);
    const task = { kind: "found", type: "task", id: "aa11", attemptId: null, taskId: "aa11" } as const;
    const attempt = {
      kind: "found",
      type: "attempt",
      id: "ab11",
      attemptId: "ab11",
      taskId: "aa11",
    } as const;
    const run = { kind: "found", type: "run", id: "ab2", attemptId: "ab11", taskId: "aa11" } as const;
    expect(await find("aa")).toEqual(task);
    expect(await find("aa11")).toEqual(task);
    expect(await find("ab1")).toEqual(attempt);
    expect(await find("ab22")).toEqual({ ...run, id: "ab22" });
    // A whole id is never ambiguous.
    expect(await find("ab2")).toEqual(run);
    expect(await find("ab")).toEqual({
      kind: "ambiguous",
      candidates: [attempt, run, { ...run, id: "ab22" }],
    });
    const many = await find("c");
    expect(many.kind === "ambiguous" && many.candidates.length).toBe(10);
    for (const nothing of [
      "",
      "b",
      "aa111",
      "%",
      "_",
      "a_11",
      "a%",
      "AA",
      "\\",
      "*",
      "?",
      "\0",
      "\u{10FFFF}",
      "aa\n",
      "'",
    ])
      expect([nothing, await find(nothing)]).toEqual([nothing, { kind: "none" }]);
  });

  onBothDatabases(
    "finds an attempt by its branch, one that is open before those that ended",
    async ({ db }) => {
      const attempt = (id: string, branch: string) => ({
        ...sampleAttempt,
        id,
        branch,
        taskId: "t1",
        worktree: `/w/${id}`,
      });
      await transact(db, async (trx) => {
        await insertRepository(trx, sampleRepository, "worker-1");
        await insertTask(trx, { ...sampleTask, id: "t1" });
        await insertAttempt(trx, attempt("e1", "feature/x"));
        await insertAttempt(trx, attempt("e2", "feature/x"));
        await insertAttempt(trx, attempt("e3", "feature/y"));
        await insertAttempt(trx, attempt("e4", "e3"));
      });
      const found = (id: string) =>
        ({ kind: "found", type: "attempt", id, attemptId: id, taskId: "t1" }) as const;
      const find = (text: string) => findByPrefix(db.reader, text);
      expect(await find("feature/x")).toEqual({ kind: "ambiguous", candidates: [found("e1"), found("e2")] });
      await transact(db, (trx) => updateAttempt(trx, { id: "e1", set: { state: "removed" } }));
      expect(await find("feature/x")).toEqual(found("e2"));
      await transact(db, (trx) => updateAttempt(trx, { id: "e3", set: { state: "removed" } }));
      expect(await find("feature/y")).toEqual(found("e3"));
      expect(await find("e3")).toEqual(found("e3"));
      expect(await find("feature/")).toEqual({ kind: "none" });
    },
  );
});
