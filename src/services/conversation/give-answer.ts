/** Takes a person's answer to the question that they saw; the first of several answers counts. */
import { err, ok, type Result } from "neverthrow";
import { createRedactor } from "../../domain/agent/redact.ts";
import type { AnswerRule } from "../../domain/question/answer-rule.ts";
import type { Answer, Question } from "../../domain/question/question.ts";
import {
  type AnswerRefusal,
  type GivenAnswer,
  questionToAnswer,
  takeAnswer,
} from "../../domain/question/take-answer.ts";
import type { Run } from "../../domain/run/run.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { questionsOfRun } from "../../storage/tables/questions.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import type { ResolvedId } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { askedBy } from "../core/journal.ts";
import { notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { type TeamContext, tellDrivers } from "../placing/tell-worker.ts";
import { writeOwnLog } from "../run-core/own-log.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { allowedByRule, answerByRule, closeQuestion } from "./answer-by-rule.ts";
import { makeRule } from "./answer-rules.ts";

type AnswerContext = TeamContext &
  Uses<
    | "db"
    | "git"
    | "clock"
    | "newId"
    | "owner"
    | "actor"
    | "paths"
    | "tokens"
    | "newFacts"
    | "dispatcher"
    | "failpoint"
  >;

/** The id is that of a run, or of the attempt whose run asks. */
export async function answerFound(
  context: AnswerContext,
  { type, id }: ResolvedId,
  given: GivenAnswer,
): Promise<Result<void, Refusal>> {
  if (type === "run") return giveAnswer(context, id, given);
  if (type === "task") return err(notFound("run", id));
  const runs = await runsOfAttempt(context.db.reader, id);
  const run = runs.find(({ phase }) => phase === "waiting") ?? runs.at(-1);
  return run === undefined ? err(notFound("run", id)) : giveAnswer(context, run.id, given);
}

/** Stores the answer. The run's driver hands it to the agent; a run whose process was stopped goes on with its slot. */
async function giveAnswer(
  context: AnswerContext,
  runId: string,
  given: GivenAnswer,
): Promise<Result<void, Refusal>> {
  const run = await getRun(context.db.reader, runId);
  const place = run && (await findPlace(context.db.reader, run.attemptId));
  if (!run || !place) return err(notFound("run", runId));
  const by = await askedBy(context, repositoryTarget(place.repository));
  const text = given.text && createRedactor({ values: context.tokens }).text(given.text);
  const result = await transact(context.db, async (trx) => {
    const answered = await answerIn(context, trx, { run, place, given: { ...given, text }, by });
    if (answered.isOk())
      await tellDrivers(context, trx, [run.id, ...answered.value.waited.map(({ runId }) => runId)]);
    return answered;
  });
  if (result.isErr()) return err(refusalOf(run, result.error));
  context.failpoint("after:give_answer");
  const { answer, rule, waited } = result.value;
  await writeOwnLog(context, run.id, { step: "answer", text: toldText(answer) });
  if (rule !== null)
    for (const each of waited)
      await writeOwnLog(context, each.runId, { step: "question", text: allowedByRule(rule, each) });
  context.newFacts.notify();
  context.dispatcher().poke();
  return ok(undefined);
}

interface NotTaken {
  readonly why: AnswerRefusal | "rule_unfit";
  /** What it asks now. */
  readonly now: Question | null;
  /** The first answer to what the person saw. */
  readonly seen: Answer | null;
}

interface Given {
  readonly answer: Answer;
  /** What is allowed from now on; null: only this. */
  readonly rule: AnswerRule | null;
  /** What others asked already, and the rule answered. */
  readonly waited: readonly Question[];
}

interface ToAnswer {
  readonly run: Run;
  readonly place: AttemptPlace;
  readonly given: GivenAnswer;
  readonly by: string | null;
}

async function answerIn(
  context: Uses<"clock" | "newId" | "owner" | "actor">,
  trx: WriteTransaction,
  { run, place, given, by }: ToAnswer,
): Promise<Result<Given, NotTaken>> {
  const questions = await questionsOfRun(trx, run.id);
  const taken = takeAnswer(questions, given);
  if (taken.isErr()) {
    const seen = questions.find(({ hash }) => hash === given.expect)?.answer ?? null;
    return err({ why: taken.error, now: questionToAnswer(questions), seen });
  }
  const { question } = taken.value;
  const { always } = given;
  const made = always === null ? ok(null) : await makeRule(context, trx, { place, question, always, by });
  if (made.isErr()) return err({ why: "rule_unfit", now: question, seen: null });
  const at = context.clock.iso();
  const answer: Answer = { ...taken.value.answer, by, at };
  await closeQuestion(trx, question, answer, context.actor);
  const rule = made.value;
  const waited = rule === null ? [] : await answerByRule(trx, { rule, at });
  return ok({ answer, rule, waited });
}

function toldText({ kind, text, by }: Answer): string {
  const words = kind === "allow" ? "Allowed" : kind === "deny" ? "Denied" : "Answered";
  return `${words}${by === null ? "" : ` by ${by}`}${text === null ? "" : `: ${text}`}`;
}

function refusalOf(run: Run, { why, now, seen }: NotTaken): Refusal {
  const id = shortId(run.id);
  const details = { run: run.id, question: now?.id ?? null, expect: now?.hash ?? null };
  const look = `\`tazuna show ${id}\` shows what it asks now.`;
  switch (why) {
    case "no_question":
      return refuse("conflict", "no_question", `The run ${id} asks nothing.`, { remedy: look, details });
    case "question_changed":
      return refuse("conflict", "question_changed", `The run ${id} does not ask that any more.`, {
        remedy: look,
        details,
      });
    case "already_answered":
      return refuse(
        "conflict",
        "already_answered",
        "That question was answered before; the first answer counts.",
        {
          remedy: look,
          details: { ...details, answer: seen?.kind ?? null, at: seen?.at ?? null, by: seen?.by ?? null },
        },
      );
    case "rule_unfit":
      return refuse("bad_request", "answer_unfit", "No rule can be made of that. Nothing was answered.", {
        remedy: `A rule is the exact command, or its first words if they say what it does. \`tazuna answer ${id} --allow\` allows it once.`,
        details,
      });
    case "answer_unfit":
      return refuse(
        "bad_request",
        "answer_unfit",
        `The question of the run ${id} cannot be answered like that.`,
        {
          remedy: now === null ? look : howToAnswer(id, now),
          details,
        },
      );
  }
}

function howToAnswer(run: string, { source, options }: Question): string {
  if (source === "permission") return `\`tazuna answer ${run} --allow\` or \`tazuna answer ${run} --deny\`.`;
  return options.every(({ kind }) => kind !== "words")
    ? `\`tazuna answer ${run} --text "the name of an option"\`, or \`tazuna answer ${run} --deny\`.`
    : `\`tazuna answer ${run} --text "your words"\`; the name of an option chooses it.`;
}
