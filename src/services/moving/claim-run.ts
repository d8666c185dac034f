/** Takes a run and its attempt from a lost worker in one transaction, or ends the run (ADR 0096). */
import { basename, join } from "node:path";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { failure } from "../../domain/run/failure.ts";
import type { Run, RunNote } from "../../domain/run/run.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { updateAttempt } from "../../storage/tables/attempts.ts";
import { type RunChange, updateRun } from "../../storage/tables/run-moves.ts";
import { standingOf, takeAway } from "../../storage/team/drains.ts";
import { loadOfWorkers } from "../../storage/team/load-of-workers.ts";
import { handOver, lostRuns } from "../../storage/team/lost-runs.ts";
import { getProtection } from "../../storage/team/protections.ts";
import { transact } from "../../storage/transact.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type { Uses } from "../core/context-parts.ts";
import { shortId } from "../core/refusal.ts";
import { holdFollowUps } from "../run-core/held-follow-ups.ts";
import { note } from "../run-core/step.ts";
import type { BroughtCopy } from "./bring-copy.ts";
import { moveUnheld } from "./move-unheld.ts";

export type MoveContext = Uses<"db" | "owner" | "clock" | "paths" | "newFacts" | "dispatcher" | "failpoint">;

export interface Claim {
  readonly run: Run;
  /** The worker that was lost. */
  readonly from: { readonly id: string; readonly name: string };
  readonly attempt: Attempt;
  /** The clone on this machine. */
  readonly repository: Repository;
  /** Null if the depot has nothing of the attempt. */
  readonly copy: BroughtCopy | null;
  /** Its commit only has to be pushed. */
  readonly publishes: boolean;
}

/** False if its worker has spoken meanwhile, if another one was faster, or without a free slot. */
export async function claimRun(context: MoveContext, claim: Claim): Promise<boolean> {
  const { db, owner, paths, clock } = context;
  const { run, attempt, repository, publishes } = claim;
  const at = clock.iso();
  context.failpoint("before:take_over");
  const claimed = await transact(db, async (trx) => {
    const isFree = (await isStillLost(trx, owner, run)) && (await hasSlot(trx, owner));
    if (!isFree || !(await isNewest(trx, claim))) return false;
    await updateAttempt(trx, {
      id: attempt.id,
      set: {
        worktree: join(paths.worktrees, basename(attempt.worktree)),
        ...{ gitDir: null, session: null, usageTotals: null },
        ...{ workerId: owner, repositoryId: repository.id },
      },
    });
    await handOver(trx, { attempt: attempt.id, to: owner });
    const notes = [...run.notes, movedNote(claim)];
    if (publishes) {
      await takeAway(trx, [run.id]);
      await updateRun(trx, { id: run.id, expect: { epoch: null }, set: { notes } });
    } else await moveUnheld(trx, run, { event: "move", at, set: { ...beginningAnew(claim), notes } });
    await attemptChanged(trx, attempt, { at, state: attempt.state });
    return true;
  });
  context.failpoint("after:take_over");
  if (!claimed) return false;
  context.newFacts.notify();
  context.dispatcher().poke();
  return true;
}

/** The run was lost for the second time: it ends, and a person decides. */
export async function interruptRun(
  context: MoveContext,
  { run, from }: Pick<Claim, "run" | "from">,
): Promise<void> {
  const at = context.clock.iso();
  await transact(context.db, async (trx) => {
    if (!(await isStillLost(trx, context.owner, run))) return;
    const set = { failure: lostTwice(run, from.name), endedAt: at, resumeAt: null };
    await moveUnheld(trx, run, { event: "fail", at, set });
    await holdFollowUps(trx, run);
  });
  context.newFacts.notify();
}

async function isStillLost(trx: WriteTransaction, than: string, run: Run): Promise<boolean> {
  const [now] = await lostRuns(trx, { than, only: run.id });
  return now !== undefined && now.run.status === run.status && now.run.phase === run.phase;
}

async function hasSlot(trx: WriteTransaction, id: string): Promise<boolean> {
  const own = (await loadOfWorkers(trx)).find((worker) => worker.id === id);
  return own !== undefined && own.busy < own.slots && (await standingOf(trx, id)).begins;
}

/** The lost worker copied nothing more meanwhile. */
async function isNewest(trx: WriteTransaction, { attempt, copy }: Claim): Promise<boolean> {
  const known = await getProtection(trx, attempt.id);
  return (known?.protectedAt ?? null) === (copy?.upTo ?? null) && (known?.unprotectedSince ?? null) === null;
}

function beginningAnew({ run, from, copy }: Claim): RunChange {
  const { parked: _parked, triesNow: _triesNow, ...options } = run.options;
  const moved = { worker: from.id, name: from.name, copy: copy?.commit ?? null, upTo: copy?.upTo ?? null };
  return { options: { ...options, moved }, tree: null, commit: null, summary: null, resumeAt: null };
}

/** What came along, and what did not. */
function movedNote({ run, from, copy, publishes }: Claim): RunNote {
  const details = { worker: from.id, name: from.name, edits_up_to: copy?.upTo ?? null };
  const moved = `Moved from ${from.name}`;
  if (publishes) return note("moved", `${moved}; its commit came along.`, details);
  if (run.startSha === null) return note("moved", `${moved} before the run had begun.`, details);
  const edits =
    copy === null ? "edits" : `edits after ${copy.upTo.slice("YYYY-MM-DDT".length, -".sssZ".length)} UTC`;
  return note("moved", `${moved}; ${edits}, session and ignored files stayed there.`, details);
}

function lostTwice({ id, attemptId }: Run, name: string) {
  return failure("interrupted", `Its worker, ${name}, went away, as the one before it.`, {
    remedy: `\`tazuna continue ${shortId(attemptId)} "what is left to do"\` goes on from what was pushed; \`tazuna retry ${shortId(id)}\` does the run again.`,
    details: { cause: "worker_lost" },
  });
}
