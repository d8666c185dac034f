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

/** Returns what `store` returns. */
export type MoveWith = <T extends { readonly waits: boolean }>(
  store: (trx: WriteTransaction) => Promise<T>,
) => Promise<T>;

interface AskOptions {
  readonly start: number;
  readonly key: string;
  readonly asked: Asked;
  /** Stores, and moves the run into the waiting or out of it, as `store` says. */
  readonly move: MoveWith;
}

type AskContext = Uses<"db" | "clock" | "newId" | "tokens" | "paths" | "failpoint">;

/** The question as it is stored: open, or answered as before. */
export async function askQuestion(
  context: AskContext,
  world: RunWorld,
  { start, key, asked, move }: AskOptions,
): Promise<Question> {
  const clean: Asked = JSON.parse(createRedactor({ values: context.tokens }).line(JSON.stringify(asked)));
  // What the engine hides from a person cannot be what they allowed.
  const isWhole = clean.command === asked.command && clean.words === asked.words;
  context.failpoint("before:ask");
  const { question, rule } = await move(async (trx) => {
    const made = await makeQuestion(context, trx, { world, start, key, asked: clean, isWhole });
    const { answer, askedAt } = made.question;
    await insertQuestion(trx, made.question);
    const state = answer === null ? "asked" : "answered";
    await tellQuestion(trx, { question: made.question, state, at: askedAt, answer });
    return made;
  });
  context.failpoint("after:ask");
  await writeOwnLog(context, world.run.id, { step: "question", text: toldText(question, rule) });
  return question;
}

interface Made {
  readonly question: Question;
  /** What answers it; null if it is open, or was allowed before. */
  readonly rule: AnswerRule | null;
  readonly waits: boolean;
}

interface ToMake extends Pick<AskOptions, "start" | "key" | "asked"> {
  readonly world: RunWorld;
  readonly isWhole: boolean;
}

/** In the transaction that stores it: a rule may be made, or removed, while the agent asks. */
async function makeQuestion(
  context: Uses<"clock" | "newId">,
  trx: WriteTransaction,
  { world: { run, attempt, repository }, start, key, asked, isWhole }: ToMake,
): Promise<Made> {
  const all = await questionsOfRun(trx, run.id);
  const earlier = allowedBefore(asked, all);
  const at = context.clock.iso();
  const rules = await listAnswerRules(trx, repository.id);
  const rule = isWhole ? allowingRule(asked, rules, attempt.worktree) : null;
  const repeated = earlier?.answer ? repeatedAnswer(asked, earlier.answer) : null;
  const answer = repeated ?? (rule && ruleAnswer(asked, rule.id, at));
  const id = context.newId();
  const hash = createHash("sha256")
    .update(seenText({ id, ...asked }))
    .digest("hex");
  const question: Question = {
    ...asked,
    id,
    runId: run.id,
    attemptId: attempt.id,
    start,
    key,
    hash,
    askedAt: at,
    answer,
    closed: answer === null ? null : "answered",
    closedAt: answer === null ? null : at,
    parkedAt: null,
    deliveredAt: null,
    repeats: repeated === null ? null : (earlier?.id ?? null),
  };
  // An answer from before interrupts nothing: the agent goes on at once.
  return { question, rule, waits: answer === null || all.some(({ closed }) => closed === null) };
}

function toldText({ words, rule, answer, repeats }: Question, by: AnswerRule | null): string {
  if (answer === null) return `${words}\n${rule}`;
  return repeats !== null || by === null ? `Allowed as before: ${words}` : allowedByRule(by, { words });
}
