/** Lets an agent ask at the moment at which a person allows the same from now on, or takes that back. */
import { afterAll, beforeAll, expect } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnswerRule } from "../../src/domain/question/answer-rule.ts";
import type { Answer, Asked } from "../../src/domain/question/question.ts";
import { type DeskContext, openDesk } from "../../src/services/conversation/question-desk.ts";
import { createNotifier } from "../../src/services/core/context.ts";
import type { RunWorld } from "../../src/services/run-core/step.ts";
import { getAttempt } from "../../src/storage/tables/attempts.ts";
import { deleteAnswerRule, insertAnswerRule, questionsOfRun } from "../../src/storage/tables/questions.ts";
import { moveRun } from "../../src/storage/tables/run-moves.ts";
import { getRun } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases, type TestDatabase } from "../helpers/databases.ts";
import { insertSampleRun, NOON, sampleAttempt, sampleRepository } from "../storage/sample-rows.ts";

const ASKED: Asked = {
  source: "permission",
  words: "npm install left-pad",
  command: "npm install left-pad",
  folder: sampleAttempt.worktree,
  touches: [],
  rule: "`npm install` reaches the network.",
  options: [{ id: "yes", name: "Allow", kind: "allow_once" }],
};
const RULE: AnswerRule = {
  id: "rule-1",
  repositoryId: sampleRepository.id,
  kind: "command",
  text: "npm install left-pad",
  folder: "",
  asks: ASKED.rule,
  touches: [],
  questionId: "question-0",
  by: null,
  at: NOON,
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tazuna-desk-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** `meanwhile` is begun after the desk was asked, and before it stores the question. */
async function askWhile({ db }: TestDatabase, meanwhile: () => Promise<unknown>) {
  const attempt = await getAttempt(db.reader, sampleAttempt.id);
  const run = await getRun(db.reader, "run-1");
  if (attempt === null || run === null) throw new Error("no run");
  let number = 0;
  const doing: Promise<unknown>[] = [];
  await mkdir(join(folder, run.id), { recursive: true });
  const context = {
    db,
    clock: systemClock,
    newId: () => `id-${++number}`,
    newFacts: createNotifier(),
    tokens: [],
    paths: { run: (id: string) => join(folder, id) },
    timing: { questionMs: 60_000, graceMs: 100 },
    failpoint: (name: string) => name === "before:ask" && doing.push(meanwhile()),
    reportFault: (_: string, error: unknown) => {
      throw error;
    },
  } as unknown as DeskContext;
  const world = { run, attempt, repository: sampleRepository, epoch: null } as unknown as RunWorld;
  const answers: Answer[] = [];
  const desk = openDesk(context, world, 1);
  await desk.ask("key", ASKED, async (answer) => {
    answers.push(answer);
  });
  desk.leave();
  await Promise.all(doing);
  const [question] = await questionsOfRun(db.reader, run.id);
  const { phase } = (await getRun(db.reader, run.id)) ?? {};
  return { answers: answers.map(({ kind, rule }) => [kind, rule]), closed: question?.closed, phase };
}

async function working({ db }: TestDatabase): Promise<void> {
  await transact(db, async (trx) => {
    const { id } = await insertSampleRun(trx);
    await moveRun(trx, {
      id,
      expect: { status: "PENDING", phase: "queued", epoch: null },
      to: { status: "RUNNING", phase: "agent" },
    });
  });
}

onBothDatabases("a rule that is made while an agent asks the same answers it", async (on) => {
  await working(on);
  const told = await askWhile(on, () => transact(on.db, (trx) => insertAnswerRule(trx, RULE)));
  expect(told).toEqual({ answers: [["allow", RULE.id]], closed: "answered", phase: "agent" });
});

onBothDatabases("a rule that is removed while an agent asks allows nothing any more", async (on) => {
  await working(on);
  await transact(on.db, (trx) => insertAnswerRule(trx, RULE));
  const told = await askWhile(on, () => transact(on.db, (trx) => deleteAnswerRule(trx, RULE.id)));
  expect(told).toEqual({ answers: [], closed: null, phase: "waiting" });
});
