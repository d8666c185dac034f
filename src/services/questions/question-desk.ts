/** Keeps the questions of one start of an agent: asks a person, hands over answers, takes questions back (ADR 0057). */
import type { Answer, Asked, Question } from "../../domain/question/question.ts";
import { questionToAnswer } from "../../domain/question/take-answer.ts";
import { isToldToStop, requestStop, tellAsking } from "../../keeper/control.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { questionsOfRun, updateQuestion } from "../../storage/tables/questions.ts";
import { transact } from "../../storage/transact.ts";
import { createTurns } from "../../utils/locks/turns.ts";
import { MAX_TIMER_MS } from "../../utils/time/waiting.ts";
import type { MoveContext, Uses } from "../core/context-parts.ts";
import { writeOwnLog } from "../run-core/own-log.ts";
import type { RunWorld } from "../run-core/step.ts";
import { tellQuestion } from "../run-core/tell-question.ts";
import { askQuestion } from "./ask-question.ts";
import { moveWaiting, parkRun } from "./move-waiting.ts";

export type DeskContext = MoveContext & Uses<"paths" | "newId" | "timing" | "newAnswers" | "reportFault">;

/** Gives an answer to the agent. It may be called again with the same one, after a crash. */
type Deliver = (answer: Answer) => Promise<void>;

export interface QuestionDesk {
  /** Asks a person, unless the agent asked the same before. An answer that is there already is handed over. */
  ask(key: string, asked: Asked, deliver: Deliver): Promise<void>;
  /** The agent does not wait for that answer any more. */
  withdraw(key: string): Promise<void>;
  /**
   * The process has ended. `stopped`: not by itself, and no person wanted that. If an answer is still due then, the run
   * is parked until it comes.
   */
  close(stopped: boolean): Promise<"parked" | "closed">;
  /** This engine follows the process no longer; the next one does. */
  leave(): void;
}

/** `start` is the number of the agent's start. */
export function openDesk(context: DeskContext, world: RunWorld, start: number): QuestionDesk {
  const { run } = world;
  const dir = context.paths.run(run.id);
  const inTurn = createTurns();
  const deliverers = new Map<string, Deliver>();
  let waiting = run.phase === "waiting";
  let timer: NodeJS.Timeout | undefined;
  let left = false;

  const ownQuestions = async () =>
    (await questionsOfRun(context.db.reader, run.id)).filter((question) => question.start === start);

  const move = async (to: boolean, more: (trx: WriteTransaction) => Promise<void>): Promise<void> => {
    await transact(context.db, async (trx) => {
      await more(trx);
      if (to !== waiting) await moveWaiting(context, trx, { world, event: to ? "wait" : "resume" });
    });
    waiting = to;
    context.newFacts.notify();
  };
  /** After a change: lets the run go on if no answer is due any more. */
  const settle = async (): Promise<void> => {
    clearTimeout(timer);
    const own = await ownQuestions();
    const oldest = questionToAnswer(own);
    if (oldest !== null && !left) timer = setTimeout(giveUp, leftOf(context, oldest));
    if (isToldToStop(dir)) return;
    const isDue = own.some(isUndelivered);
    if (waiting && !isDue) await move(false, async () => undefined);
    await tellAsking(dir, isDue);
  };
  const giveUp = (): void =>
    void inTurn(async () => {
      if (questionToAnswer(await ownQuestions()) === null) return;
      await writeOwnLog(context, run.id, { step: "question", text: NO_ANSWER });
      await requestStop(dir, { graceMs: context.timing.graceMs });
    }).catch((error) => context.reportFault(`parking run ${run.id}`, error));
  const hand = async (question: Question): Promise<void> => {
    const deliver = deliverers.get(question.key);
    if (question.answer === null || deliver === undefined || isToldToStop(dir)) return;
    context.failpoint("before:answer");
    await deliver(question.answer);
    context.failpoint("after:answer");
    if (question.deliveredAt !== null) return;
    const set = { deliveredAt: context.clock.iso() };
    await transact(context.db, (trx) => updateQuestion(trx, { id: question.id, set }));
  };
  const handAll = () =>
    inTurn(async () => {
      const due = (await ownQuestions()).filter(
        (question) => question.closed !== null && isUndelivered(question),
      );
      for (const question of due) await hand(question);
      if (due.length > 0) await settle();
    }).catch((error) => context.reportFault(`answering run ${run.id}`, error));
  const leave = (): void => {
    left = true;
    unsubscribe();
    clearTimeout(timer);
  };
  const unsubscribe = context.newAnswers.subscribe(() => void handAll());

  return {
    ask: (key, asked, deliver) =>
      inTurn(async () => {
        deliverers.set(key, deliver);
        const known = (await ownQuestions()).find((question) => question.key === key);
        const question = known ?? (await askQuestion(context, world, { start, key, asked, move }));
        if (question.closed === "answered") await hand(question);
        await settle();
      }),
    withdraw: (key) =>
      inTurn(async () => {
        const question = (await ownQuestions()).find((one) => one.key === key && one.closed === null);
        if (question === undefined) return;
        await transact(context.db, (trx) => withdrawIn(context, trx, question));
        await settle();
      }),
    leave,
    close: (stopped) =>
      inTurn(async () => {
        leave();
        const own = await ownQuestions();
        const due = own.filter(isUndelivered);
        const parks = stopped && (due.length > 0 || isToldToStop(dir));
        if (parks) await move(true, (trx) => parkRun(context, trx, { world, start }));
        else if (due.length > 0 || waiting)
          await move(false, async (trx) => {
            for (const question of due)
              if (question.closed === null) await withdrawIn(context, trx, question);
          });
        await tellAsking(dir, false);
        return parks ? "parked" : "closed";
      }),
  };
}

const NO_ANSWER =
  "No answer came. The agent's process is stopped, so that its slot is free; it goes on when the answer comes.";

/** Whether the agent still waits for its answer. */
function isUndelivered({ closed, deliveredAt }: Question): boolean {
  return closed === null || (closed === "answered" && deliveredAt === null);
}

async function withdrawIn(context: DeskContext, trx: WriteTransaction, question: Question): Promise<void> {
  const closedAt = context.clock.iso();
  await updateQuestion(trx, { id: question.id, set: { closed: "withdrawn", closedAt } });
  await tellQuestion(trx, { question, state: "withdrawn", at: closedAt });
}

function leftOf({ clock, timing }: DeskContext, { askedAt }: Question): number {
  const passed = clock.now().getTime() - Date.parse(askedAt);
  return Math.min(Math.max(0, timing.questionMs - passed), MAX_TIMER_MS);
}
