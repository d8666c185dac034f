import { describe, expect } from "bun:test";
import type { Answer, Asked } from "../../src/domain/question/question.ts";
import { questions } from "../../src/storage/schema/schema.ts";
import { deleteAnswerRule, insertAnswerRule, listAnswerRules } from "../../src/storage/tables/questions.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON } from "./sample-rows.ts";

const allow: Asked["options"][number] = { id: "allow", name: "Allow", kind: "allow_once" };
const answer: Answer = { kind: "allow", text: null, option: allow.id, by: "Ann <ann@example.com>", at: NOON };
const asked: Asked = {
  source: "permission",
  words: "May I install the packages?",
  command: "npm install",
  folder: "/data/worktrees/run_run-1",
  touches: ["registry.npmjs.org"],
  rule: "npm install reaches the network.",
  options: [allow],
};
const question: ReturnType<typeof questions.read> = {
  ...asked,
  id: "question-1",
  runId: "run-1",
  attemptId: "attempt-1",
  start: 1,
  key: "7",
  hash: "a".repeat(64),
  askedAt: NOON,
  answer,
  closed: "answered",
  closedAt: NOON,
  parkedAt: null,
  deliveredAt: NOON,
  repeats: null,
};

describe("questions", () => {
  onBothDatabases("keep everything that was asked and answered", async ({ db }) => {
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await trx.insertInto("questions").values(questions.write(question)).execute();
    });
    const row = await db.reader.selectFrom("questions").selectAll().executeTakeFirstOrThrow();
    expect(questions.read(row)).toEqual(question);
  });

  onBothDatabases("keep what is allowed from now on, until it is removed", async ({ db }) => {
    const rule: Parameters<typeof insertAnswerRule>[1] = {
      id: "rule-1",
      repositoryId: "repo-1",
      kind: "prefix",
      text: "npm install",
      folder: "",
      asks: asked.rule,
      touches: asked.touches,
      questionId: question.id,
      by: null,
      at: NOON,
    };
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await insertAnswerRule(trx, rule);
    });
    expect(await listAnswerRules(db.reader, rule.repositoryId)).toEqual([rule]);
    expect(await listAnswerRules(db.reader, "another")).toEqual([]);
    expect(await transact(db, (trx) => deleteAnswerRule(trx, rule.id))).toEqual(rule);
    expect(await transact(db, (trx) => deleteAnswerRule(trx, rule.id))).toBeNull();
  });
});
