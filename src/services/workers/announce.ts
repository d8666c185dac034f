/** Tells the workers on the same Postgres that this one is there, what it can do, and that it stops. */
import { hostname } from "node:os";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { changeWorker, moveWorker, registerWorker } from "../../storage/team/workers.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { agentStatuses } from "../queries/agent-status.ts";

export type TellContext = Uses<"db" | "owner" | "clock" | "newFacts" | "team">;
type SkillContext = TellContext & Uses<"configuration" | "engineStop"> & Parameters<typeof agentStatuses>[0];

const USUAL_SLOTS = 8;

/** To be called when the engine begins to work. Nothing is told on an SQLite, which serves one engine alone. */
export async function announceWorker(
  context: TellContext & Uses<"configuration">,
  /** Of the program; `labels` are those that a person gave it now, absent to keep those that it had. */
  told: { readonly version: string; readonly labels?: readonly string[] },
): Promise<void> {
  const id = ownWorker(context);
  if (id === null) return;
  const slots = await slotsOf(context);
  await tell(context, async (trx) => {
    await registerWorker(trx, { ...told, id, slots, host: hostname() });
    return true;
  });
}

/** Tells slots and agents anew, if they have changed. It asks the programs of the agents, which takes a while. */
export async function tellSkills(context: SkillContext): Promise<void> {
  const id = ownWorker(context);
  if (id === null) return;
  const statuses = await agentStatuses(context, { repository: null, settings: {} });
  const slots = await slotsOf(context);
  if (context.engineStop.aborted || statuses.isErr()) return;
  const agents = statuses.value.filter(({ ready }) => ready).map((agent) => agent.id);
  await tell(context, (trx) => changeWorker(trx, { id, slots, agents }));
}

/** This engine ends as it should. */
export async function leaveWorkers(context: TellContext): Promise<void> {
  const id = ownWorker(context);
  if (id !== null) await tell(context, (trx) => changeWorker(trx, { id, state: "stopped" }));
}

/** How far the clock of this machine is ahead of the database's. */
export async function tellClock(context: TellContext, clockMs: number): Promise<void> {
  const id = ownWorker(context);
  if (id !== null) await tell(context, (trx) => changeWorker(trx, { id, clockMs }));
}

/** Nothing has been heard of that worker for a while. */
export function tellSilent(context: TellContext, worker: string): Promise<void> {
  return tell(context, (trx) => moveWorker(trx, { id: worker, from: "ready", to: "silent" }));
}

/** A worker that was silent has spoken again. */
export function tellPresent(context: TellContext, worker: string): Promise<void> {
  return tell(context, (trx) => moveWorker(trx, { id: worker, from: "silent", to: "ready" }));
}

async function slotsOf({ configuration }: Uses<"configuration">): Promise<number> {
  return (await configuration(null)).map(({ values }) => values.limits.parallel).unwrapOr(USUAL_SLOTS);
}

/** `change` says whether it is news. */
async function tell(
  { db, clock, newFacts, team }: TellContext,
  change: (trx: WriteTransaction) => Promise<boolean>,
): Promise<void> {
  const isNews = await transact(db, async (trx) => {
    const changed = await change(trx);
    if (changed) await workersChanged(trx, clock.iso());
    return changed;
  });
  if (!isNews) return;
  newFacts.notify();
  // Another worker may begin more, or less, from now on.
  await team().placeSoon();
}

/** Announces it in the transaction that changes it. */
export async function workersChanged(trx: WriteTransaction, at: string): Promise<void> {
  await appendFact(trx, {
    at,
    kind: "workers.changed",
    ...{ taskId: null, attemptId: null, runId: null, data: {} },
  });
}
