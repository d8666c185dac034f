/** Announces what becomes of a question, as a fact. */
import type { Answer, Question } from "../../domain/question/question.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";

const MAX_WORDS = 500;

/** In the transaction that makes it true. */
export async function tellQuestion(
  trx: WriteTransaction,
  told: {
    readonly question: Question;
    readonly state: "asked" | "answered" | "withdrawn";
    readonly at: string;
    readonly answer?: Answer["kind"];
  },
): Promise<void> {
  const { question, state, at, answer = null } = told;
  const { id, attemptId, runId, source, words } = question;
  await appendFact(trx, {
    at,
    kind: "run.question",
    taskId: null,
    attemptId,
    runId,
    data: { question: id, state, source, answer, words: words.slice(0, MAX_WORDS) },
  });
}
