/** Looks at what waits on all workers, and tells the workers that may begin some of it (ADR 0095). */
import { waiting } from "../../domain/run/waiting.ts";
import { latestFacts } from "../../storage/tables/facts.ts";
import { waitingRuns } from "../../storage/team/waiting-runs.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { WAITS } from "../queue/tell-waiting.ts";

export type PlacingContext = Uses<"db" | "owner" | "team" | "dispatcher">;

/** What is decided is read from rows, so that it may be asked twice, or late. */
export async function placeWaiting(context: PlacingContext): Promise<void> {
  if (ownWorker(context) === null) return;
  const { reader } = context.db;
  const runs = await waitingRuns(reader);
  const facts = await latestFacts(reader, { kind: WAITS, runIds: runs.map(({ id }) => id) });
  const reasonOf = (run: string) => waiting.safeParse(facts.get(run)?.data).data?.reason ?? null;
  // What works elsewhere counts for these limits, and nobody else tells of its end.
  const shared = runs.filter(({ id }) => ["per_repository", "per_login"].includes(reasonOf(id) ?? ""));
  for (const [worker, [first]] of Map.groupBy(shared, (run) => run.worker))
    if (first !== undefined) await tellWorker(context, worker, first.id);
}

async function tellWorker(context: PlacingContext, worker: string, run: string): Promise<void> {
  if (worker === context.owner) context.dispatcher().poke();
  else await context.team().tell(null, worker, { run, attempt: null });
}
