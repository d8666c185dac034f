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
  const name = await nameOfWorker(context, own);
  const isForOthers = await waitsForOthers(context, refusing);
  await change(context, refusing, {
    to: (mayMove) => ({ ...mayMove, refusedBy: withOne(mayMove.refusedBy, own) }),
    told: why === null ? [] : [notTaken({ id: own, name }, why)],
  });
  if (isForOthers) await context.team().placeSoon();
}

/** Here is a clone, and no room: one without a clone may make its own. Says so only if there is such a one. */
export async function leaveToOthers(context: RefusingContext, refusing: Refusing): Promise<void> {
  const { own } = refusing;
  if (!(await waitsForOthers(context, refusing))) return;
  await change(context, refusing, {
    to: (mayMove) => ({ ...mayMove, waitsAt: withOne(mayMove.waitsAt ?? [], own) }),
    told: [],
  });
  await context.team().placeSoon();
}

/** Whether one without a clone was told nothing so far, since this one goes first. */
async function waitsForOthers({ db }: Uses<"db">, { runId, own }: Refusing): Promise<boolean> {
  const now = await lookNow(db.reader, { run: runId, taker: null }, await readKnown(db.reader));
  const others = now?.team.filter(({ id }) => id !== own) ?? [];
  return now !== null && !now.run.waitsAt.includes(own) && isForOneWithoutClone(now.run, others);
}

/** The same for a run whose worker is lost. It is tried again later, and told once. */
export async function noteNotTaken(
  { db, clock, newFacts }: Uses<"db" | "newFacts" | "clock">,
  { runId, own, why }: Refusing & { readonly why: string },
): Promise<void> {
  const told = notTaken({ id: own, name: await nameOfWorker({ db }, own) }, why);
  await transact(db, async (trx) => {
    const [lost] = await lostRuns(trx, { than: own, only: runId });
    if (lost === undefined || lost.run.lease === null) return;
    const { notes, lease } = lost.run;
    if (notes.some(({ code, details }) => code === told.code && details.worker === own)) return;
    await updateRun(trx, { id: runId, expect: { epoch: lease.epoch }, set: { notes: [...notes, told] } });
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
  { to, told }: { readonly to: (mayMove: MayMove) => MayMove; readonly told: readonly RunNote[] },
): Promise<void> {
  await transact(db, async (trx) => {
    const run = await getRun(trx, runId);
    const mayMove = run?.options.mayMove;
    if (run === null || mayMove === undefined || run.phase !== "queued") return;
    const set = { options: { ...run.options, mayMove: to(mayMove) }, notes: [...run.notes, ...told] };
    const changed = await updateRun(trx, { id: runId, expect: { epoch: null }, set });
    if (changed === "updated" && told.length > 0) await tellPeople(trx, run, clock.iso());
  });
  if (told.length > 0) newFacts.notify();
}

/** Who looks at the attempt sees the new note. */
async function tellPeople(trx: WriteTransaction, { attemptId }: Run, at: string): Promise<void> {
  const attempt = await getAttempt(trx, attemptId);
  if (attempt !== null) await attemptChanged(trx, attempt, { at, state: attempt.state });
}

function withOne(all: readonly string[], one: string): string[] {
  return [...new Set([...all, one])];
}
