/** Answers by a new rule what agents in its repository ask already, as it answers what they ask later. */

import type { Actor } from "../../domain/actor.ts";
import { type AnswerRule, allowingRule } from "../../domain/question/answer-rule.ts";
import type { Answer, Question } from "../../domain/question/question.ts";
import { ruleAnswer } from "../../domain/question/take-answer.ts";
import { isParked } from "../../domain/run/waiting.ts";
import { REDACTED } from "../../domain/text/redacted.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { openQuestions, questionsOfRun, updateQuestion } from "../../storage/tables/questions.ts";
import { resumeParked } from "../../storage/tables/run-moves.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { tellQuestion } from "../run-core/tell-question.ts";

/**
 * In the transaction that makes the rule, so that a crash leaves both or none. Returns what was answered. The drivers
 * of the runs hand the answers over, as those of a person.
 */
export async function answerByRule(
  trx: WriteTransaction,
  { rule, at }: { readonly rule: AnswerRule; readonly at: string },
): Promise<readonly Question[]> {
  const answered: Question[] = [];
  for (const { question, worktree } of await openQuestions(trx, rule.repositoryId)) {
    // What the engine hides from a person cannot be what they allowed.
    if (question.words.includes(REDACTED)) continue;
    const allows = allowingRule(question, [rule], worktree) !== null;
    const answer = allows ? ruleAnswer(question, rule.id, at) : null;
    if (answer === null) continue;
    await closeQuestion(trx, question, answer);
    answered.push(question);
  }
  return answered;
}

/** Stores the answer. A run whose process was stopped goes on with its slot once all that it asks is answered. */
export async function closeQuestion(
  trx: WriteTransaction,
  question: Question,
  answer: Answer,
  actor: Actor | null = null,
): Promise<void> {
  const { at } = answer;
  await updateQuestion(trx, { id: question.id, set: { answer, closed: "answered", closedAt: at } });
  await tellQuestion(trx, { question, state: "answered", at, answer, actor });
  const run = await getRun(trx, question.runId);
  const others = await questionsOfRun(trx, question.runId);
  const isLast = others.every(({ closed }) => closed !== null);
  if (run !== null && isParked(run) && isLast) await resumeParked(trx, run.id, at);
}

/** As the log of a run tells it. */
export function allowedByRule(rule: AnswerRule, { words }: Pick<Question, "words">): string {
  return `Allowed by your rule ${rule.id.slice(0, 8)} (${rule.text}): ${words}`;
}
