/** Passes what an agent asks by `ask_person` to the desk of its start, and the answers back (ADR 0058). */
import { setTimeout as delay } from "node:timers/promises";
import { SIGN_OF_LIFE_MS } from "../../../effect/mailbox/letters.ts";
import { questionsOfRun } from "../../../storage/tables/questions.ts";
import { watchFiles } from "../../../utils/files/file-changes.ts";
import type { DeskContext, QuestionDesk } from "../../conversation/question-desk.ts";
import type { RunWorld } from "../../run-core/step.ts";
import type { Launch } from "./launch.ts";
import { openRunMailbox, type RunMailbox } from "./run-mailbox.ts";

interface Following {
  readonly launch: Pick<Launch, "number" | "asksPerson">;
  readonly desk: QuestionDesk;
  /** Aborts once the agent has ended, or this engine leaves it. */
  readonly ended: AbortSignal;
}

/**
 * Ends with `ended`. A fault is reported, and then everything is taken up from what is stored, as after a restart: an
 * agent that damages its mailbox does no harm to its run.
 */
export async function followMailbox(
  context: DeskContext,
  world: RunWorld,
  following: Following,
): Promise<void> {
  if (!following.launch.asksPerson) return;
  while (!following.ended.aborted) {
    try {
      await followUntilEnd(context, world, following);
    } catch (error) {
      context.reportFault(`following the questions of run ${world.run.id}`, error);
      await delay(SIGN_OF_LIFE_MS, undefined, { signal: following.ended }).catch(() => undefined);
    }
  }
}

async function followUntilEnd(
  context: DeskContext,
  world: RunWorld,
  { launch, desk, ended }: Following,
): Promise<void> {
  const all = await questionsOfRun(context.db.reader, world.run.id);
  const stored = all.filter(({ start }) => start === launch.number);
  const mailbox = openRunMailbox(context, world, { stored, secrets: context.tokens });
  for (const question of stored.filter(({ key }) => mailbox.knows(key)))
    if (question.closed !== "withdrawn" && question.deliveredAt === null)
      await desk.ask(question.key, question, (answer) => mailbox.answer(question.key, answer));
  const changes = watchFiles({
    folder: mailbox.folder,
    files: null,
    pollMs: SIGN_OF_LIFE_MS,
    signals: [ended],
  });
  try {
    while (!ended.aborted) {
      await passOn(mailbox, desk);
      await changes.next();
    }
  } finally {
    changes.close();
  }
}

async function passOn(mailbox: RunMailbox, desk: QuestionDesk): Promise<void> {
  for (const event of await mailbox.look()) {
    if (event.kind === "question_withdrawn") {
      await desk.withdraw(event.key);
      continue;
    }
    const { kind: _, key, ...asked } = event;
    await desk.ask(key, asked, (answer) => mailbox.answer(key, answer));
  }
}
