/** Drains a worker: it begins no run any more. What goes on ends by itself, or at a time limit (ADR 0088). */
import { err, ok, type Result } from "neverthrow";
import type { Worker } from "../../domain/worker/worker.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { beginDrain, endDrain, findWorker } from "../../storage/team/drains.ts";
import { transact } from "../../storage/transact.ts";
import { type NoteContext, noteTeamAct } from "../access/team-acts.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { noWorker, type Refusal, refuse } from "../core/refusal.ts";
import type { ListedWorker, WorkerDrain } from "../core/screen-shapes.ts";
import type { TeamContext } from "../placing/tell-worker.ts";
import { workersChanged } from "./announce.ts";
import { shownWorkers } from "./list-workers.ts";

export type DrainContext = TeamContext & NoteContext & Uses<"newFacts" | "dispatcher">;

/** Once this is answered, the worker begins nothing. One that drains already goes on doing so; a new time limit counts. */
export function drainWorker(
  context: DrainContext,
  { worker, withinMs, until }: WorkerDrain,
): Promise<Result<ListedWorker, Refusal>> {
  return change(context, worker, async (trx, found) => {
    await beginDrain(trx, found, { withinMs, until, actor: context.actor });
    // Until its next start: its own end asks for that, and no person.
    const { id, name } = found;
    if (until === "resume") await noteTeamAct(context, trx, { kind: "worker_drained", id, name });
    return true;
  });
}

/** It begins runs again, those first that waited. One that does not drain is left as it is. */
export function resumeWorker(context: DrainContext, named: string): Promise<Result<ListedWorker, Refusal>> {
  return change(context, named, async (trx, { id, name }) => {
    const isNews = await endDrain(trx, id, "resume");
    if (isNews) await noteTeamAct(context, trx, { kind: "worker_resumed", id, name });
    return isNews;
  });
}

/** `act` says whether it is news. The worker is told to look in the same transaction. */
async function change(
  context: DrainContext,
  named: string,
  act: (trx: WriteTransaction, worker: Worker) => Promise<boolean>,
): Promise<Result<ListedWorker, Refusal>> {
  const own = ownWorker(context);
  if (own === null) return err(NOT_SHARED);
  const changed = await transact(context.db, async (trx) => {
    const worker = await findWorker(trx, named);
    if (worker === null) return err(noWorker(named));
    if (await act(trx, worker)) {
      await workersChanged(trx, context.clock.iso());
      await tellItself(context, trx, worker.id);
    }
    return ok(worker.id);
  });
  context.newFacts.notify();
  context.dispatcher().poke();
  await context.team().placeSoon();
  if (changed.isErr()) return err(changed.error);
  const listed = await shownWorkers(context);
  const shown = listed.unwrapOr([]).find(({ id }) => id === changed.value);
  return shown === undefined ? err(noWorker(named)) : ok(shown);
}

/** Another worker looks at what its own row says. */
export async function tellItself(context: TeamContext, trx: WriteTransaction, id: string): Promise<void> {
  if (id !== context.owner) await context.team().tell(trx, id, { run: null, attempt: null });
}

export const NOT_SHARED = refuse(
  "conflict",
  "database_not_shared",
  "This Tazuna works alone: its database is a file, and no worker can be drained or removed.",
  {
    remedy:
      "`tazuna engine stop` ends it, and `tazuna stop` with its attempt a run. Workers need a Postgres: `tazuna serve --database postgres://…`.",
  },
);
