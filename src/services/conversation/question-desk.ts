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
import { askQuestion, type MoveWith } from "./ask-question.ts";
import { moveWaiting, parkRun } from "./move-waiting.ts";

export type DeskContext = MoveContext & Uses<"paths" | "newId" | "timing" | "reportFault">;

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
  return new Desk(context, world, start);
}

class Desk implements QuestionDesk {
  private readonly context: DeskContext;
  private readonly world: RunWorld;
  private readonly start: number;
  private readonly dir: string;
  private readonly inTurn = createTurns();
  private readonly deliverers = new Map<string, Deliver>();
  private readonly unsubscribe: () => void;
  private waiting: boolean;
  private timer: NodeJS.Timeout | undefined;
  private left = false;

  constructor(context: DeskContext, world: RunWorld, start: number) {
    this.context = context;
    this.world = world;
    this.start = start;
    this.dir = context.paths.run(world.run.id);
    this.waiting = world.run.phase === "waiting";
    this.unsubscribe = context.newFacts.subscribe(() => this.handAll());
  }

  ask(key: string, asked: Asked, deliver: Deliver): Promise<void> {
    return this.inTurn(async () => {
      this.deliverers.set(key, deliver);
      const known = (await this.own()).find((question) => question.key === key);
      const options = { start: this.start, key, asked, move: this.move };
      const question = known ?? (await askQuestion(this.context, this.world, options));
      if (question.closed === "answered") await this.hand(question);
      await this.settle();
    });
  }

  withdraw(key: string): Promise<void> {
    return this.inTurn(async () => {
      const question = (await this.own()).find((one) => one.key === key && one.closed === null);
      if (question === undefined) return;
      await transact(this.context.db, (trx) => withdrawIn(this.context, trx, question));
      await this.settle();
    });
  }

  close(stopped: boolean): Promise<"parked" | "closed"> {
    const { context, world, start, dir } = this;
    return this.inTurn(async () => {
      this.leave();
      const due = (await this.own()).filter(isUndelivered);
      const parks = stopped && (due.length > 0 || isToldToStop(dir));
      const open = due.filter(({ closed }) => closed === null);
      if (parks) {
        context.failpoint("before:park");
        await this.move(async (trx) => {
          await parkRun(context, trx, { world, start });
          return { waits: true };
        });
        context.failpoint("after:park");
      } else if (open.length > 0 || this.waiting)
        await this.move(async (trx) => {
          for (const question of open) await withdrawIn(context, trx, question);
          return { waits: false };
        });
      await tellAsking(dir, false);
      return parks ? "parked" : "closed";
    });
  }

  leave(): void {
    this.left = true;
    this.unsubscribe();
    clearTimeout(this.timer);
  }

  private async own(): Promise<readonly Question[]> {
    const all = await questionsOfRun(this.context.db.reader, this.world.run.id);
    return all.filter((question) => question.start === this.start);
  }

  /** Stores, and moves the run into the waiting or out of it in the same transaction, as `store` says. */
  private readonly move: MoveWith = async (store) => {
    const { context, world } = this;
    const stored = await transact(context.db, async (trx) => {
      const done = await store(trx);
      const event = done.waits ? "wait" : "resume";
      if (done.waits !== this.waiting) await moveWaiting(context, trx, { world, event });
      return done;
    });
    this.waiting = stored.waits;
    context.newFacts.notify();
    return stored;
  };

  /** After a change: lets the run go on if no answer is due any more. */
  private async settle(): Promise<void> {
    clearTimeout(this.timer);
    const own = await this.own();
    const oldest = questionToAnswer(own);
    if (oldest !== null && !this.left)
      this.timer = setTimeout(() => this.giveUp(), leftOf(this.context, oldest));
    if (isToldToStop(this.dir)) return;
    const isDue = own.some(isUndelivered);
    if (this.waiting && !isDue) await this.move(async () => ({ waits: false }));
    await tellAsking(this.dir, isDue);
  }

  private giveUp(): void {
    const { context, world } = this;
    this.inTurn(async () => {
      if (questionToAnswer(await this.own()) === null) return;
      await writeOwnLog(context, world.run.id, { step: "question", text: NO_ANSWER });
      await requestStop(this.dir, { graceMs: context.timing.graceMs });
    }).catch((error) => context.reportFault(`parking run ${world.run.id}`, error));
  }

  /** A process that is being stopped gets no answer: its answers are told to the next one. */
  private async hand(question: Question): Promise<void> {
    const { context } = this;
    const deliver = this.deliverers.get(question.key);
    if (question.answer === null || deliver === undefined || isToldToStop(this.dir)) return;
    context.failpoint("before:answer");
    await deliver(question.answer);
    context.failpoint("after:answer");
    if (question.deliveredAt !== null) return;
    const set = { deliveredAt: context.clock.iso() };
    await transact(context.db, (trx) => updateQuestion(trx, { id: question.id, set }));
  }

  /** An answer is a fact; while nothing is asked, no fact is of interest. */
  private handAll(): void {
    const { context, world } = this;
    if (!this.waiting) return;
    this.inTurn(async () => {
      const due = (await this.own()).filter((one) => one.closed !== null && isUndelivered(one));
      for (const question of due) await this.hand(question);
      if (due.length > 0) await this.settle();
    }).catch((error) => context.reportFault(`answering run ${world.run.id}`, error));
  }
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
