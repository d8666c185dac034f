/** Keeps with a waiting run which workers cannot begin it, and which would let it wait too. */
import type { Run, RunNote, RunOptions } from "../../domain/run/run.ts";
import { isForOneWithoutClone } from "../../domain/worker/waiting-runs.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { updateRun } from "../../storage/tables/run-moves.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { lostRuns } from "../../storage/team/lost-runs.ts";
import { transact } from "../../storage/transact.ts";
import { attemptChanged } from "../core/attempt-changed.ts";
import type { Uses } from "../core/context-parts.ts";
import { nameOfWorker } from "../core/held-elsewhere.ts";
import { note } from "../run-core/step.ts";
import { lookNow, readKnown } from "./team-now.ts";

interface Refusing {
  readonly runId: string;
  readonly own: string;
}

type RefusingContext = Uses<"db" | "team" | "clock" | "newFacts">;

/**
 * It is not asked for this run again. Another one may take it, also one that has to clone first. `why`: a sentence for
 * people, if they should know.
 */
export async function noteRefusal(
  context: RefusingContext,
  refusing: Refusing,
  why: string | null,
): Promise<void> {
  const { own } = refusing;
  await refuse(context, refusing, {
    to: (mayMove) => ({ ...mayMove, refusedBy: withOne(mayMove.refusedBy, own) }),
    why,
  });
}

/** It has no clone, and can make none now. It is asked again once it has one, or once that is tried again. */
export async function noteUncloned(
  context: RefusingContext,
  { why, ...refusing }: Refusing & { readonly why: string },
): Promise<void> {
  const { own } = refusing;
  await refuse(context, refusing, {
    to: (mayMove) => ({ ...mayMove, unclonedAt: withOne(mayMove.unclonedAt ?? [], own) }),
    why,
  });
}

async function refuse(
  context: RefusingContext,
  refusing: Refusing,
  { to, why }: { readonly to: (mayMove: MayMove) => MayMove; readonly why: string | null },
): Promise<void> {
  const { own: id } = refusing;
  const told = why === null ? null : notTaken({ id, name: await nameOfWorker(context, id) }, why);
  const isForOthers = await waitsForOthers(context, refusing);
  await change(context, refusing, { to, told });
  if (isForOthers) await context.team().placeSoon();
}

/** Here is a clone, and no room: one without a clone may make its own. Says so only if there is such a one. */
export async function leaveToOthers(context: RefusingContext, refusing: Refusing): Promise<void> {
  const { own } = refusing;
  if (!(await waitsForOthers(context, refusing))) return;
  await change(context, refusing, {
    to: (mayMove) => ({ ...mayMove, waitsAt: withOne(mayMove.waitsAt ?? [], own) }),
    told: null,
  });
  await context.team().placeSoon();
}

/** Whether one without a clone was told nothing so far, since this one goes first. */
async function waitsForOthers({ db }: Uses<"db">, { runId, own }: Refusing): Promise<boolean> {
  const now = await lookNow(db.reader, { run: runId, taker: null }, await readKnown(db.reader));
  const others = now?.team.filter(({ id }) => id !== own) ?? [];
  return now !== null && !now.run.waitsAt.includes(own) && isForOneWithoutClone(now.run, others);
}

/** The same as `noteUncloned` for a run whose worker is lost. */
export async function noteNotTaken(
  { db, clock, newFacts }: Uses<"db" | "newFacts" | "clock">,
  { runId, own, why }: Refusing & { readonly why: string },
): Promise<void> {
  const told = notTaken({ id: own, name: await nameOfWorker({ db }, own) }, why);
  await transact(db, async (trx) => {
    const [lost] = await lostRuns(trx, { than: own, only: runId });
    if (lost === undefined || lost.run.lease === null) return;
    const { notes, lease } = lost.run;
    const now = withNote(notes, told);
    if (now === notes) return;
    await updateRun(trx, { id: runId, expect: { epoch: lease.epoch }, set: { notes: now } });
    await tellPeople(trx, lost.run, clock.iso());
  });
  newFacts.notify();
}

function notTaken(worker: { readonly id: string; readonly name: string }, why: string): RunNote {
  return note("not_taken", `${worker.name} did not take it: ${why}`, { worker: worker.id });
}

type MayMove = NonNullable<RunOptions["mayMove"]>;

/** Nothing happens if somebody has begun it, or taken it. */
async function change(
  { db, clock, newFacts }: RefusingContext,
  { runId }: Pick<Refusing, "runId">,
  { to, told }: { readonly to: (mayMove: MayMove) => MayMove; readonly told: RunNote | null },
): Promise<void> {
  const isNews = await transact(db, async (trx) => {
    const run = await getRun(trx, runId);
    const mayMove = run?.options.mayMove;
    if (run === null || mayMove === undefined || run.phase !== "queued") return false;
    const notes = withNote(run.notes, told);
    const set = { options: { ...run.options, mayMove: to(mayMove) }, notes };
    const changed = await updateRun(trx, { id: runId, expect: { epoch: null }, set });
    if (changed === "lost" || notes === run.notes) return false;
    await tellPeople(trx, run, clock.iso());
    return true;
  });
  if (isNews) newFacts.notify();
}

/** One for each worker, with what stopped it last: a cause that stays the same is told once. */
function withNote(notes: readonly RunNote[], told: RunNote | null): readonly RunNote[] {
  const isBefore = ({ code, details }: RunNote) =>
    code === told?.code && details.worker === told.details.worker;
  if (told === null || notes.some((each) => isBefore(each) && each.message === told.message)) return notes;
  return [...notes.filter((each) => !isBefore(each)), told];
}

/** Who looks at the attempt sees the new note. */
async function tellPeople(trx: WriteTransaction, { attemptId }: Run, at: string): Promise<void> {
  const attempt = await getAttempt(trx, attemptId);
  if (attempt !== null) await attemptChanged(trx, attempt, { at, state: attempt.state });
}

function withOne(all: readonly string[], one: string): string[] {
  return [...new Set([...all, one])];
}
