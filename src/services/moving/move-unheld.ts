/** Moves a run whose lease was just taken from a worker that is gone. */
import type { Run } from "../../domain/run/run.ts";
import { moveRun as nextState, type RunEvent } from "../../domain/run/state.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { moveRun, type RunChange } from "../../storage/tables/run-moves.ts";
import { takeAway } from "../../storage/team/drains.ts";
import { withdrawQuestions } from "../run-core/tell-question.ts";

/** Its former holder writes nothing of it from then on, and what it had asked is asked no more. */
export async function moveUnheld(
  trx: WriteTransaction,
  run: Run,
  { event, set, at }: { readonly event: RunEvent; readonly set: RunChange; readonly at: string },
): Promise<void> {
  const { id, attemptId, status, phase } = run;
  const to = nextState({ status, phase }, event);
  if (to.isErr()) throw new Error(`illegal move: ${event} from ${status}/${phase ?? ""}`);
  await takeAway(trx, [id]);
  await moveRun(trx, { id, to: to.value, expect: { status, phase, epoch: null }, set });
  await withdrawQuestions(trx, { run: id, at });
  const attempt = await getAttempt(trx, attemptId);
  const data = { ...to.value, outcome: null, failure: set.failure?.code ?? null };
  const ids = { taskId: attempt?.taskId ?? null, attemptId, runId: id };
  await appendFact(trx, { at, kind: "run.state", ...ids, data });
}
