/** Announces what becomes of a question, as a fact. */
import type { Actor } from "../../domain/actor.ts";
import type { Answer, Question } from "../../domain/question/question.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { withdrawOpen } from "../../storage/tables/questions.ts";

const MAX_WORDS = 500;

/** In the transaction that makes it true. */
export async function tellQuestion(
  trx: WriteTransaction,
  told: {
    readonly question: Question;
    readonly state: "asked" | "answered" | "withdrawn";
    readonly at: string;
    readonly answer?: Answer | null;
    /** Who answered; null if a rule did. */
    readonly actor?: Actor | null;
  },
): Promise<void> {
  const { question, state, at, answer = null, actor } = told;
  const { id, attemptId, runId, source, words } = question;
  await appendFact(trx, {
    at,
    kind: "run.question",
    taskId: null,
    attemptId,
    runId,
    data: {
      question: id,
      state,
      source,
      answer: answer?.kind ?? null,
      words: words.slice(0, MAX_WORDS),
      ...(actor === undefined ? {} : { actor }),
      ...(answer?.rule === undefined ? {} : { rule: answer.rule }),
    },
  });
}

/** The run has ended: nobody waits for an answer any more. */
export async function withdrawQuestions(
  trx: WriteTransaction,
  { run, at }: { readonly run: string; readonly at: string },
): Promise<void> {
  for (const question of await withdrawOpen(trx, { id: run, at }))
    await tellQuestion(trx, { question, state: "withdrawn", at });
}
