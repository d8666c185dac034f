/** Stores what an agent asks, and lets its run wait for a person, unless they allowed the same before. */
import { createHash } from "node:crypto";
import { createRedactor } from "../../domain/agent/redact.ts";
import { type AnswerRule, allowingRule } from "../../domain/question/answer-rule.ts";
import type { Asked, Question } from "../../domain/question/question.ts";
import { allowedBefore, repeatedAnswer, ruleAnswer, seenText } from "../../domain/question/take-answer.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { insertQuestion, listAnswerRules, questionsOfRun } from "../../storage/tables/questions.ts";
import type { Uses } from "../core/context-parts.ts";
import { writeOwnLog } from "../run-core/own-log.ts";
import type { RunWorld } from "../run-core/step.ts";
import { tellQuestion } from "../run-core/tell-question.ts";
import { allowedByRule } from "./answer-by-rule.ts";

interface AskOptions {
  readonly start: number;
  readonly key: string;
  readonly asked: Asked;
  /** Stores, and moves the run into the waiting or out of it. */
  readonly move: (waits: boolean, store: (trx: WriteTransaction) => Promise<void>) => Promise<void>;
}

/** The question as it is stored: open, or answered as before. */
export async function askQuestion(
  context: Uses<"db" | "clock" | "newId" | "tokens" | "paths" | "failpoint">,
  { run, attempt, repository }: RunWorld,
  { start, key, asked, move }: AskOptions,
): Promise<Question> {
  const clean: Asked = JSON.parse(createRedactor({ values: context.tokens }).line(JSON.stringify(asked)));
  const all = await questionsOfRun(context.db.reader, run.id);
  const earlier = allowedBefore(clean, all);
  const at = context.clock.iso();
  const rules = await listAnswerRules(context.db.reader, repository.id);
  // What the engine hides from a person cannot be what they allowed.
  const isWhole = clean.command === asked.command && clean.words === asked.words;
  const rule = isWhole ? allowingRule(clean, rules, attempt.worktree) : null;
  const repeated = earlier?.answer ? repeatedAnswer(clean, earlier.answer) : null;
  const answer = repeated ?? (rule && ruleAnswer(clean, rule.id, at));
  const id = context.newId();
  const question: Question = {
    ...clean,
    id,
    runId: run.id,
    attemptId: attempt.id,
    start,
    key,
    hash: createHash("sha256")
      .update(seenText({ id, ...clean }))
      .digest("hex"),
    askedAt: at,
    answer,
    closed: answer === null ? null : "answered",
    closedAt: answer === null ? null : at,
    parkedAt: null,
    deliveredAt: null,
    repeats: repeated === null ? null : (earlier?.id ?? null),
  };
  context.failpoint("before:ask");
  // An answer from before interrupts nothing: the agent goes on at once.
  const waits = answer === null || all.some(({ closed }) => closed === null);
  await move(waits, async (trx) => {
    await insertQuestion(trx, question);
    const state = answer === null ? "asked" : "answered";
    await tellQuestion(trx, { question, state, at, answer });
  });
  context.failpoint("after:ask");
  await writeOwnLog(context, run.id, { step: "question", text: toldText(question, rule) });
  return question;
}

function toldText({ words, rule, answer, repeats }: Question, by: AnswerRule | null): string {
  if (answer === null) return `${words}\n${rule}`;
  return repeats !== null || by === null ? `Allowed as before: ${words}` : allowedByRule(by, { words });
}
