import { describe, expect } from "bun:test";
import type { Comment } from "../../src/domain/comment/comment.ts";
import type { Decision } from "../../src/domain/decision/decision.ts";
import {
  commentsOfAttempts,
  getComment,
  insertComments,
  updateComment,
} from "../../src/storage/tables/comments.ts";
import {
  decisionsOfTasks,
  getDecision,
  insertDecision,
  pageDecisions,
} from "../../src/storage/tables/decisions.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON } from "./sample-rows.ts";

const decision: Decision = {
  id: "decision-1",
  taskId: "task-1",
  attemptId: "attempt-1",
  alternatives: ["attempt-2"],
  reason: "It is small.",
  tripwire: null,
  by: "Ann <ann@example.com>",
  issue: "Fix it.",
  evidence: [
    {
      id: "attempt-1",
      agent: "demo",
      model: null,
      state: "pushed",
      commit: "c".repeat(40),
      checks: [{ name: "test", outcome: "passed", required: true }],
      files: 1,
      additions: 2,
      deletions: null,
      usage: null,
      durationS: 1.5,
      comments: { critical: 0, high: 1, medium: 0, low: 2 },
    },
  ],
  trashed: ["attempt-2"],
  at: NOON,
  replacedAt: null,
  takenBackAt: null,
};

const comment: Comment = {
  id: "comment-1",
  attemptId: "attempt-1",
  runId: "run-1",
  authorKind: "agent",
  author: "demo",
  actor: null,
  path: "src/a.ts",
  line: 3,
  endLine: 4,
  side: "new",
  quoted: "const a = 1;",
  tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  severity: "high",
  body: "This is wrong.",
  state: "open",
  sentWith: null,
  at: NOON,
};

describe("decisions", () => {
  onBothDatabases("one of a task holds; the others stay as its history", async ({ db }) => {
    const later = { ...decision, id: "decision-2", tripwire: "A bug", at: "2026-01-02T12:00:01.000Z" };
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await insertDecision(trx, decision);
    });
    expect(await decisionsOfTasks(db.reader, ["task-1", "task-2"])).toEqual(new Map([["task-1", decision]]));
    await transact(db, (trx) => insertDecision(trx, later));
    const replaced = { ...decision, replacedAt: later.at };
    expect(await getDecision(db.reader, "decision-1")).toEqual(replaced);
    expect(await decisionsOfTasks(db.reader, ["task-1"])).toEqual(new Map([["task-1", later]]));
    const page = { cursor: null, limit: 1, task: "task-1" };
    const first = await pageDecisions(db.reader, page);
    expect(first.items).toEqual([later]);
    expect((await pageDecisions(db.reader, { ...page, cursor: first.next })).items).toEqual([replaced]);
    expect((await pageDecisions(db.reader, { ...page, task: "task-2" })).items).toEqual([]);
    const second = transact(db, async (trx) => {
      await trx.updateTable("decisions").set({ replacedAt: null }).where("id", "=", "decision-1").execute();
    });
    expect(second).rejects.toThrow();
  });
});

describe("comments", () => {
  onBothDatabases("are read by attempt, and changed", async ({ db }) => {
    const draft: Comment = {
      ...comment,
      id: "comment-2",
      runId: null,
      authorKind: "person",
      author: null,
      actor: null,
      line: null,
      quoted: null,
      severity: null,
      state: "draft",
      at: "2026-01-02T12:00:01.000Z",
    };
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await insertComments(trx, [draft, comment]);
    });
    expect(await commentsOfAttempts(db.reader, ["attempt-1", "attempt-2"])).toEqual(
      new Map([["attempt-1", [comment, draft]]]),
    );
    await transact(db, (trx) =>
      updateComment(trx, { id: "comment-1", set: { state: "sent", sentWith: "run-1" } }),
    );
    expect(await getComment(db.reader, "comment-1")).toEqual({
      ...comment,
      state: "sent",
      sentWith: "run-1",
    });
  });
});
