import { describe, expect } from "bun:test";
import { branchesOfRepositories } from "../../src/storage/queries/attempt-branches.ts";
import { attemptsToClean } from "../../src/storage/queries/attempts-to-clean.ts";
import {
  attemptsOfTask,
  attemptsOfTasks,
  getAttempt,
  insertAttempt,
  updateAttempt,
} from "../../src/storage/tables/attempts.ts";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { insertTask, pageTasks } from "../../src/storage/tables/tasks.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON, sampleAttempt, sampleRepository, sampleTask } from "./sample-rows.ts";

const made = {
  ...sampleAttempt,
  number: 1,
  gitDir: null,
  startedFrom: null,
  session: null,
  usageTotals: null,
  patch: null,
  state: "open",
  merged: null,
  cleanUp: null,
  endedAt: null,
} as const;

describe("attempts", () => {
  onBothDatabases(
    "seed 003 Related files: attempts are numbered within their task and read back whole",
    async ({ db }) => {
      const second = {
        ...sampleAttempt,
        id: "attempt-0",
        worktree: "/data/worktrees/2",
        branchExisted: true,
      };
      const other = { ...sampleAttempt, id: "attempt-2", worktree: "/data/worktrees/3", taskId: "task-2" };
      await transact(db, async (trx) => {
        await insertSampleRun(trx);
        await insertTask(trx, { ...sampleTask, id: "task-2" });
        expect(await insertAttempt(trx, second)).toEqual({ ...made, ...second, number: 2 });
        await insertAttempt(trx, other);
      });
      const all = [{ ...made }, { ...made, ...second, number: 2 }, { ...made, ...other, number: 1 }];
      expect(await getAttempt(db.reader, "attempt-1")).toEqual(made);
      expect(await getAttempt(db.reader, "attempt-9")).toBeNull();
      expect(await attemptsOfTask(db.reader, "task-1")).toEqual(all.slice(0, 2));
      expect(await attemptsOfTasks(db.reader, ["task-2", "task-1"])).toEqual(all);
      expect(await attemptsOfTasks(db.reader, [])).toEqual([]);
    },
  );

  onBothDatabases("keep what is stored, forget what is set to null", async ({ db }) => {
    await transact(db, insertSampleRun);
    const set = {
      branch: "tazuna/other",
      gitDir: "/garden/.git/worktrees/run_run-1",
      base: { branch: "main", sha: "a".repeat(40) },
      session: { id: "session", cwd: "/data/worktrees/run_run-1" },
      usageTotals: { inputTokens: 1, cachedInputTokens: 2, outputTokens: 3, costUsd: null },
      patch: {
        from: "a".repeat(40),
        to: "b".repeat(40),
        tip: "c".repeat(40),
        files: 2,
        additions: 3,
        deletions: 1,
      },
      merged: {
        at: NOON,
        commit: "d".repeat(40),
        tip: "c".repeat(40),
        target: "main",
        before: null,
        by: "forge",
      },
      model: "haiku",
    } as const;
    const update = (id: string, change: Parameters<typeof updateAttempt>[1]["set"]) =>
      transact(db, (trx) => updateAttempt(trx, { id, set: change }));
    expect(await update("attempt-1", set)).toBe("updated");
    expect(await getAttempt(db.reader, "attempt-1")).toEqual({ ...made, ...set });
    const cleanUp = { why: "the worktree is kept: no room", triedAt: NOON, againAt: NOON };
    const ended = { session: null, usageTotals: null, state: "canceled", cleanUp, endedAt: NOON } as const;
    expect(await update("attempt-1", ended)).toBe("updated");
    expect(await getAttempt(db.reader, "attempt-1")).toEqual({ ...made, ...set, ...ended });
    expect([await update("attempt-1", {}), await update("attempt-9", {})]).toEqual(["updated", "missing"]);
  });

  onBothDatabases("that were cancelled wait for their clean-up until it is done", async ({ db }) => {
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      for (const id of ["a", "b"]) await insertAttempt(trx, { ...sampleAttempt, id, worktree: `/${id}` });
      for (const id of ["b", "attempt-1"]) await updateAttempt(trx, { id, set: { state: "canceled" } });
    });
    expect(await attemptsToClean(db.reader)).toEqual(["attempt-1", "b"]);
    await transact(db, (trx) => updateAttempt(trx, { id: "b", set: { state: "removed" } }));
    expect(await attemptsToClean(db.reader)).toEqual(["attempt-1"]);
  });

  onBothDatabases("that cannot be cleaned up keep their task in the list, until they are", async ({ db }) => {
    await transact(db, insertSampleRun);
    const change = (set: Parameters<typeof updateAttempt>[1]["set"]) =>
      transact(db, (trx) => updateAttempt(trx, { id: "attempt-1", set }));
    const listed = async () =>
      (await pageTasks(db.reader, { all: false, cursor: null, limit: 9 })).items.length;
    const seen: number[] = [];
    await change({ state: "canceled" });
    seen.push(await listed());
    await change({ cleanUp: { why: "the worktree is kept: no room", triedAt: NOON, againAt: NOON } });
    seen.push(await listed());
    await change({ state: "removed", cleanUp: null });
    expect([...seen, await listed()]).toEqual([0, 1, 0]);
  });

  onBothDatabases("tell the branches of their repository", async ({ db }) => {
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await insertAttempt(trx, { ...sampleAttempt, id: "a", worktree: "/a", branch: "tazuna/花" });
      await insertRepository(trx, { ...sampleRepository, id: "repo-2", path: "/other" }, "worker-1");
      await insertTask(trx, { ...sampleTask, id: "task-2", repositoryId: "repo-2" });
      await insertAttempt(trx, {
        ...sampleAttempt,
        id: "b",
        worktree: "/b",
        taskId: "task-2",
        branch: "theirs",
      });
    });
    const branches = await branchesOfRepositories(db.reader, ["repo-1"]);
    expect(branches).toEqual(new Set(["tazuna/12345678", "tazuna/花"]));
    const both = await branchesOfRepositories(db.reader, ["repo-1", "repo-2"]);
    expect(both).toEqual(new Set(["tazuna/12345678", "tazuna/花", "theirs"]));
  });

  onBothDatabases("never share a worktree", async ({ db }) => {
    await transact(db, insertSampleRun);
    const twice = transact(db, (trx) => insertAttempt(trx, { ...sampleAttempt, id: "attempt-2" }));
    await expect(twice).rejects.toThrow(/unique/i);
  });
});
