/** Moves a run into the waiting for a person and out of it, and parks it there without its process. */
import { moveRun as nextState } from "../../domain/run/state.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { questionsOfRun, updateQuestion } from "../../storage/tables/questions.ts";
import { moveRun } from "../../storage/tables/run-moves.ts";
import type { Uses } from "../core/context-parts.ts";
import { storeFactsIn } from "../run-core/move-run.ts";
import type { RunWorld } from "../run-core/step.ts";

/** In the transaction of the question that is the reason. Throws if another driver owns the run by now. */
export async function moveWaiting(
  context: Uses<"clock">,
  trx: WriteTransaction,
  { world, event }: { readonly world: RunWorld; readonly event: "wait" | "resume" },
): Promise<void> {
  const { run, attempt } = world;
  const expect = { status: "RUNNING", phase: event === "wait" ? "agent" : "waiting" } as const;
  const to = nextState(expect, event);
  if (to.isErr()) throw new Error(`illegal move: ${event} from ${expect.status}/${expect.phase}`);
  const moved = await moveRun(trx, { id: run.id, expect: { ...expect, epoch: world.epoch }, to: to.value });
  if (moved === "lost") throw new Error(`run ${run.id} has another owner, or moved meanwhile`);
  const data = { ...to.value, outcome: null, failure: null };
  const ids = { taskId: attempt.taskId, attemptId: attempt.id, runId: run.id };
  await appendFact(trx, { at: context.clock.iso(), kind: "run.state", ...ids, data });
}

/**
 * The process was stopped. An answer that it did not get is told to the next one. If all answers are there by now, the
 * run waits for a slot alone.
 */
export async function parkRun(
  context: Uses<"clock">,
  trx: WriteTransaction,
  { world, start }: { readonly world: RunWorld; readonly start: number },
): Promise<void> {
  const at = context.clock.iso();
  const due = (await questionsOfRun(trx, world.run.id)).filter(
    (question) =>
      question.start === start && question.closed !== "withdrawn" && question.deliveredAt === null,
  );
  for (const { id } of due) await updateQuestion(trx, { id, set: { parkedAt: at } });
  const { options } = world.run;
  const isOpen = due.some(({ closed }) => closed === null);
  await storeFactsIn(trx, world, {
    run: {
      options: { ...options, parks: (options.parks ?? 0) + 1, parked: true },
      resumeAt: isOpen ? null : at,
    },
  });
}
