/** Takes a waiting run from another worker, once this one has looked at it with its own settings (ADR 0095). */
import { join } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { branchName, worktreeName } from "../../domain/repository/naming.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Run } from "../../domain/run/run.ts";
import { runsFor } from "../../domain/worker/waiting-runs.ts";
import type { Reader, WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { giveRun } from "../../storage/team/give-run.ts";
import { noteWaits } from "../../storage/team/waiting-runs.ts";
import { transact } from "../../storage/transact.ts";
import { agentsOfTask, type ResolvedAgent } from "../agents/resolve-agent.ts";
import { type BesideContext, cloneBeside, lackingClone } from "../clones/clone-beside.ts";
import { ensureClone } from "../clones/ensure-clone.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { RequestContext, Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { nameOfWorker, ownWorker } from "../core/held-elsewhere.ts";
import { configurationRefusal, type Refusal } from "../core/refusal.ts";
import { plannedWaits, type QueueContext } from "../queue/planned-waits.ts";
import { WAITS } from "../queue/tell-waiting.ts";
import { ownRepository } from "../repositories/own-repository.ts";
import { listAgain } from "../repositories/repository-changed.ts";
import { note } from "../run-core/step.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { askAgain } from "./ask-again.ts";
import { leaveToOthers, noteRefusal, noteUncloned } from "./refuse-waiting.ts";
import { type Known, type Look, lookNow, readKnown } from "./team-now.ts";

export type TakingContext = RequestContext &
  QueueContext &
  Parameters<typeof ownRepository>[0] &
  BesideContext;

/**
 * Nothing happens if the run may not be taken any more, or if it would wait here too. Without a clone one is made beside,
 * and the run is looked at again. `fromClone`: that is this look.
 */
export async function takeWaiting(
  context: TakingContext,
  runId: string,
  { fromClone = false }: { readonly fromClone?: boolean } = {},
): Promise<void> {
  const { db } = context;
  const own = ownWorker(context);
  if (own === null || context.engineStop.aborted) return;
  const known = await readKnown(db.reader);
  const look = { run: runId, taker: own };
  const from = await holderIfFree(db.reader, look, known);
  const run = from === null ? null : await getRun(db.reader, runId);
  const place = run === null ? null : await findPlace(db.reader, run.attemptId);
  if (from === null || run === null || place === null) return;
  const lacks = await lackingClone(context, place.repository);
  const looked = { runId, own };
  if (lacks?.isErr()) return noteUncloned(context, { ...looked, why: lacks.error });
  if (lacks?.isOk()) {
    const asked = { url: lacks.value, whose: runId, again: () => askAgain(context) };
    return cloneBeside(context, asked, (why) =>
      why === null
        ? takeWaiting(context, runId, { fromClone: true })
        : noteUncloned(context, { ...looked, why }),
    );
  }
  const plan = await planOf(context, { run, place });
  if (plan.isErr()) return noteRefusal(context, looked, fromClone ? plan.error.message : null);
  if (plan.value.waits) return leaveToOthers(context, looked);
  const name = await nameOfWorker(context, from);
  const taken = await transact(db, async (trx) => {
    const now = await getRun(trx, runId);
    if (now === null || (await holderIfFree(trx, look, known)) !== from) return false;
    await store(context, trx, { ...plan.value, run: now, from: { id: from, name } });
    await context.team().tell(trx, from, { run: runId, attempt: null });
    return true;
  });
  if (!taken) return;
  context.newFacts.notify();
  context.dispatcher().poke();
}

/** Who is to begin the run, if this worker may take it by what the rows say now; else null. */
async function holderIfFree(db: Reader, look: Look, known: Known): Promise<string | null> {
  const now = await lookNow(db, look, known);
  const taker = now?.team.find(({ id }) => id === look.taker);
  if (now === null || taker === undefined) return null;
  return runsFor(taker, now.team, [now.run]).length === 1 ? now.run.worker : null;
}

interface Plan {
  readonly attempt: Attempt;
  readonly title: string;
  readonly repository: Repository;
  readonly configuration: LoadedConfiguration;
  readonly agent: ResolvedAgent;
  /** It would wait here. */
  readonly waits: boolean;
}

/** As an attempt is made here: its clone, settings, agent and trust. */
async function planOf(
  context: TakingContext,
  { run, place }: { readonly run: Run; readonly place: AttemptPlace },
): Promise<Result<Plan, Refusal>> {
  return safeTry(async function* () {
    const { task, attempt } = place;
    const repository = yield* await ownRepository(context, place.repository.id);
    yield* await ensureClone(context, repository, { signal: context.engineStop });
    const configuration = yield* (await context.configuration(repository, task.settings)).mapErr(
      configurationRefusal,
    );
    const found = { repository, configuration };
    const asked = [{ id: attempt.agent, model: run.options.mayMove?.model ?? null }];
    const agents = yield* agentsOfTask(
      { agents: asked, branch: null },
      configuration.values,
      context.executors,
    );
    const untrusted = await untrustedScripts(context, { ...found, agents: [attempt.agent] });
    const [agent] = agents;
    if (untrusted !== null) return err(untrusted);
    if (agent === undefined) throw new Error(`no agent ${attempt.agent}`);
    const [waits = null] = await plannedWaits(context, { ...found, agents, onLabels: task.onLabels });
    return ok({ attempt, title: task.title, ...found, agent, waits: waits !== null });
  });
}

interface Taken extends Plan {
  readonly run: Run;
  readonly from: { readonly id: string; readonly name: string };
}

async function store(
  context: Uses<"paths" | "owner" | "clock">,
  trx: WriteTransaction,
  { run, attempt, title, repository, configuration, agent, from }: Taken,
): Promise<void> {
  const at = context.clock.iso();
  // The shell that asked lends another machine no environment.
  const { fromShell: _, ...options } = run.options;
  const moved = note("moved_in_queue", `It waited on ${from.name} until a slot was free here.`, {
    worker: from.id,
  });
  await giveRun(trx, {
    worker: context.owner,
    repositoryId: repository.id,
    attempt: {
      id: attempt.id,
      executor: agent.executor.id,
      model: agent.profile.model,
      branch: branchName(configuration.values.branch, { runId: run.id, title }),
      worktree: join(context.paths.worktrees, worktreeName(run.id)),
    },
    run: { id: run.id, options, notes: [...run.notes, moved] },
  });
  await listAgain(trx, { id: repository.id, at });
  const { taskId } = attempt;
  const ids = { taskId, attemptId: attempt.id, runId: run.id };
  await appendFact(trx, { at, kind: "run.moved", ...ids, data: { from: from.id, to: context.owner } });
  // What it waited for there is no reason to take it from here.
  await noteWaits(trx, [run.id], null);
  await appendFact(trx, { at, kind: WAITS, ...ids, data: {} });
}
