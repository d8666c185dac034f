/**
 * Stores the result of a step in one transaction: the run's move, what belongs to it, and its facts (seed 003 Overall
 * architecture, RunService).
 */
import { createRedactor } from "../../domain/agent/redact.ts";
import { type RemedyFacts, remedyOf } from "../../domain/run/remedy.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded, moveRun as nextState } from "../../domain/run/state.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { type AttemptChange, updateAttempt } from "../../storage/tables/attempts.ts";
import { insertComments } from "../../storage/tables/comments.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { holdsLease } from "../../storage/tables/run-lease.ts";
import type { RunChange } from "../../storage/tables/run-moves.ts";
import { moveRun, updateRun } from "../../storage/tables/run-moves.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import { commentsChanged, patchChanged } from "../core/attempt-changed.ts";
import type { MoveContext, Uses } from "../core/context-parts.ts";
import { holdFollowUps, releaseHeld } from "./held-follow-ups.ts";
import type { RunWorld, Step } from "./step.ts";
import { withdrawQuestions } from "./tell-question.ts";

/** `lost` means that another driver owns the run now, or that it moved meanwhile. */
export async function moveByStep(
  context: MoveContext,
  world: RunWorld,
  step: Step,
): Promise<"moved" | "lost"> {
  const { run, attempt } = world;
  const to = nextState({ status: run.status, phase: run.phase }, step.event);
  if (to.isErr()) throw new Error(`illegal move: ${step.event} from ${run.status}/${run.phase ?? ""}`);
  const now = context.clock.iso();
  const ended = isEnded(to.value.status);
  const redactedStep = withoutTokens(step, context.tokens);
  const failure = redactedStep.failure && {
    ...redactedStep.failure,
    remedy: remedyOf(redactedStep.failure, remedyFacts(world, step)),
  };
  context.failpoint(`move:${step.event}`);
  const moved = await transact(context.db, async (trx) => {
    const result = await moveRun(trx, {
      id: run.id,
      expect: { status: run.status, phase: run.phase, epoch: world.epoch },
      to: to.value,
      set: {
        ...step.run,
        ...(failure === undefined ? {} : { failure }),
        ...(redactedStep.notes === undefined ? {} : { notes: [...run.notes, ...redactedStep.notes] }),
        ...(step.event === "prepare" ? { startedAt: now } : {}),
        ...(ended ? { endedAt: now, resumeAt: null } : {}),
      },
    });
    if (result === "lost") return result;
    const isReview = run.kind === "review";
    // What a reviewer did is no part of the attempt.
    if (step.attempt !== undefined && !isReview)
      await updateAttempt(trx, { id: attempt.id, set: step.attempt });
    await insertComments(trx, step.comments ?? []);
    await commentsChanged(trx, step.comments ?? [], { at: now, state: "open" });
    // Runs that waited when a person stopped this one are held since then. Runs that were added later should go on.
    const isOwnEnd = ended && !isReview && (await getRun(trx, run.id))?.stopRequest === null;
    if (isOwnEnd && to.value.status === "SUCCEEDED") await releaseHeld(trx, attempt.id);
    else if (isOwnEnd) await holdFollowUps(trx, run);
    if (ended) await withdrawQuestions(trx, { run: run.id, at: now });
    await tellMove(trx, world, { step, to: to.value, at: now });
    return result;
  });
  context.failpoint(`moved:${step.event}`);
  if (ended && moved === "moved") context.shells.release(run.id);
  context.newFacts.notify();
  return moved;
}

async function tellMove(
  trx: WriteTransaction,
  { attempt, run }: RunWorld,
  move: { readonly step: Step; readonly to: Pick<Run, "status" | "phase">; readonly at: string },
): Promise<void> {
  const { step, to, at } = move;
  const patch = step.attempt?.patch;
  if (patch !== undefined && run.kind !== "review") await patchChanged(trx, attempt, { patch, at });
  const outcome = step.run?.outcome ?? null;
  const data = { ...to, outcome, failure: step.failure?.code ?? null };
  const ids = { taskId: attempt.taskId, attemptId: attempt.id, runId: run.id };
  await appendFact(trx, { at, kind: "run.state", ...ids, data });
}

/** The facts as they will be once the step is stored. */
function remedyFacts({ run, attempt, repository, configuration }: RunWorld, step: Step): RemedyFacts {
  const gitDir = step.attempt?.gitDir ?? attempt.gitDir;
  return {
    run: run.id,
    attempt: attempt.id,
    kind: run.kind,
    committed: (step.run?.commit ?? run.commit) !== null,
    agentDone: run.status === "STAGING" || run.status === "COMMITTING",
    agent: attempt.agent,
    repository: repository.path,
    worktree: gitDir === null ? null : attempt.worktree,
    settings: configuration,
  };
}

/** Failures and notes repeat words of git, of remotes and of commands, so tokens are removed. */
function withoutTokens({ failure, notes }: Step, values: readonly string[]): Pick<Step, "failure" | "notes"> {
  return JSON.parse(createRedactor({ values }).line(JSON.stringify({ failure, notes })));
}

/** Stores facts that do not move the run; `lost` if another driver owns it by now. */
export async function storeFacts(
  context: Uses<"db">,
  world: RunWorld,
  facts: { readonly run?: RunChange; readonly attempt?: AttemptChange },
): Promise<"stored" | "lost"> {
  return transact(context.db, (trx) => storeFactsIn(trx, world, facts));
}

/** The same in a transaction that stores more. */
export async function storeFactsIn(
  trx: WriteTransaction,
  world: RunWorld,
  facts: { readonly run?: RunChange; readonly attempt?: AttemptChange },
): Promise<"stored" | "lost"> {
  if (!(await holdsLease(trx, { id: world.run.id, epoch: world.epoch }))) return "lost";
  if (facts.run !== undefined)
    await updateRun(trx, { id: world.run.id, expect: { epoch: world.epoch }, set: facts.run });
  if (facts.attempt !== undefined && world.run.kind !== "review")
    await updateAttempt(trx, { id: world.attempt.id, set: facts.attempt });
  return "stored";
}
