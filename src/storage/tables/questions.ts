/** Stores the questions of agents, what people answered, and what they allow again. */
import type { AnswerRule } from "../../domain/question/answer-rule.ts";
import type { Question } from "../../domain/question/question.ts";
import { answerRules, questions, type Reader, type WriteTransaction } from "../schema/schema.ts";

/** `known` if the same start of the agent asked this before: then nothing is written. */
export async function insertQuestion(
  trx: WriteTransaction,
  question: Question,
): Promise<"inserted" | "known"> {
  const result = await trx
    .insertInto("questions")
    .values(questions.write(question))
    .onConflict((conflict) => conflict.columns(["runId", "start", "key"]).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n ? "inserted" : "known";
}

/** Of one run, in the order in which they were asked. */
export async function questionsOfRun(db: Reader, runId: string): Promise<readonly Question[]> {
  return (await questionsOfRuns(db, [runId])).get(runId) ?? [];
}

/** By run, in the order in which they were asked. */
export async function questionsOfRuns(
  db: Reader,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Question[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("questions")
    .selectAll()
    .where("runId", "in", runIds)
    .orderBy("askedAt")
    .orderBy("id")
    .execute();
  return Map.groupBy(rows.map(questions.read), ({ runId }) => runId);
}

/** What runs of a repository ask now, the oldest first, with the worktree in which it is asked. */
export async function openQuestions(
  db: Reader,
  repositoryId: string,
): Promise<readonly { readonly question: Question; readonly worktree: string }[]> {
  const rows = await db
    .selectFrom("questions")
    .innerJoin("attempts", "attempts.id", "questions.attemptId")
    .selectAll("questions")
    .select("attempts.worktree")
    .where("attempts.repositoryId", "=", repositoryId)
    .where("questions.closed", "is", null)
    .orderBy("questions.askedAt")
    .orderBy("questions.id")
    .execute();
  return rows.map(({ worktree, ...row }) => ({ question: questions.read(row), worktree }));
}

/** An agent's start was told the answers that came after the stop of an earlier one. */
export async function markTold(
  trx: WriteTransaction,
  told: { readonly runId: string; readonly start: number; readonly at: string },
): Promise<void> {
  await trx
    .updateTable("questions")
    .set(questions.write({ deliveredAt: told.at }))
    .where("runId", "=", told.runId)
    .where("start", "<", told.start)
    .where("closed", "=", "answered")
    .where("deliveredAt", "is", null)
    .execute();
}

/** Takes back all that a run still asks; returns those questions. */
export async function withdrawOpen(
  trx: WriteTransaction,
  run: { readonly id: string; readonly at: string },
): Promise<readonly Question[]> {
  const rows = await trx
    .updateTable("questions")
    .set(questions.write({ closed: "withdrawn", closedAt: run.at }))
    .where("runId", "=", run.id)
    .where("closed", "is", null)
    .returningAll()
    .execute();
  return rows.map(questions.read);
}

/** Changes what became of a question; absent keys stay as they are. */
export async function updateQuestion(
  trx: WriteTransaction,
  change: {
    readonly id: string;
    readonly set: Partial<Pick<Question, "answer" | "closed" | "closedAt" | "parkedAt" | "deliveredAt">>;
  },
): Promise<void> {
  await trx.updateTable("questions").set(questions.write(change.set)).where("id", "=", change.id).execute();
}

export async function insertAnswerRule(trx: WriteTransaction, rule: AnswerRule): Promise<void> {
  await trx.insertInto("answerRules").values(answerRules.write(rule)).execute();
}

/** Of one repository, or of all; the oldest first. */
export async function listAnswerRules(
  db: Reader,
  repositoryId: string | null,
): Promise<readonly AnswerRule[]> {
  const rows = await db
    .selectFrom("answerRules")
    .selectAll()
    .$if(repositoryId !== null, (select) => select.where("repositoryId", "=", repositoryId ?? ""))
    .orderBy("at")
    .orderBy("id")
    .execute();
  return rows.map(answerRules.read);
}

/** The rule as it was; null if it is not there. */
export async function deleteAnswerRule(trx: WriteTransaction, id: string): Promise<AnswerRule | null> {
  const row = await trx.deleteFrom("answerRules").where("id", "=", id).returningAll().executeTakeFirst();
  return row === undefined ? null : answerRules.read(row);
}
