/** Joins runs with what lies beside their rows: the patch on the disk, the last action, what they wait for. */
import { stat } from "node:fs/promises";
import type { Fact } from "../../domain/operation.ts";
import type { Run } from "../../domain/run/run.ts";
import { waitingNow } from "../../domain/run/waiting.ts";
import { latestFacts } from "../../storage/facts.ts";
import type { ServiceContext } from "../context.ts";
import { patchFile } from "../runs/take-patch.ts";
import { WAITS } from "../runs/tell-waiting.ts";
import type { RunView } from "../services.ts";

/** One view of each run, in the order of the runs. */
export async function runViews(context: ServiceContext, runs: readonly Run[]): Promise<RunView[]> {
  const idle = runs.filter(({ phase }) => phase === "queued" || phase === "waiting");
  const actions = await latestOf(context, "run.action", runs);
  const waits = await latestOf(context, WAITS, idle);
  const views: RunView[] = [];
  for (const run of runs)
    views.push(await runView(context, run, { action: actions.get(run.id), waits: waits.get(run.id) }));
  return views;
}

function latestOf(
  context: ServiceContext,
  kind: string,
  runs: readonly Run[],
): Promise<ReadonlyMap<string, Fact>> {
  return latestFacts(context.db.reader, { kind, runIds: runs.map(({ id }) => id) });
}

async function runView(
  context: ServiceContext,
  run: Run,
  { action, waits }: { readonly action: Fact | undefined; readonly waits: Fact | undefined },
): Promise<RunView> {
  const path = patchFile(context, run.id);
  const hasPatch = (run.patch?.files ?? 0) > 0 && (await stat(path).catch(() => null)) !== null;
  return {
    ...run,
    patchPath: hasPatch ? path : null,
    lastAction: action === undefined ? null : { at: action.at, text: String(action.data.title ?? "") },
    waitsFor: waitingNow(run, waits),
  };
}
