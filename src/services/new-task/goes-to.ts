/** Says which other workers take the runs of a new task that would wait here (ADR 0108). Gathers; the domain decides. */
import { keyOfAddress } from "../../domain/repository/clone-address.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Waiting } from "../../domain/run/waiting.ts";
import { neededProtocol } from "../../domain/worker/protocol.ts";
import type { MovableRun } from "../../domain/worker/waiting-runs.ts";
import { isNamed, loginOf } from "../agents/login-of.ts";
import type { ResolvedAgent } from "../agents/resolve-agent.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { nameOfWorker, ownWorker } from "../core/held-elsewhere.ts";
import type { CreateTask } from "../core/request-shapes.ts";
import type { ChosenWorker } from "../core/screen-shapes.ts";
import { offersNow } from "../moving/team-now.ts";
import { mayMove } from "../repositories/base-is-shared.ts";
import { clonedOnceAt, clonesOfOthers } from "./clones-of-others.ts";

interface WaitingHere {
  readonly repository: Repository;
  readonly configuration: LoadedConfiguration;
  readonly agents: readonly ResolvedAgent[];
  /** In the order of the agents; null for those that begin here at once. */
  readonly waits: readonly (Waiting | null)[];
}

/**
 * In the order of the agents; null for those that stay. The queue is asked as if their runs stood at its end. That worker
 * may still decline: its settings and its trust are its own.
 */
export async function goesTo(
  context: Uses<"db" | "owner" | "clock" | "git">,
  input: CreateTask,
  here: WaitingHere,
): Promise<readonly (ChosenWorker | null)[]> {
  const { repository, configuration, agents } = here;
  const planned = await plannedRuns(context, { ...here, labels: input.onLabels });
  const offers = planned.length === 0 ? [] : await offersNow(context, planned);
  // Those of runs that wait already are nothing to say here.
  const takers = new Map<string, string>();
  for (const { run, worker } of offers)
    if (planned.some(({ id }) => id === run) && !takers.has(run)) takers.set(run, worker);
  // Git is asked last.
  if (takers.size === 0 || !(await mayMove(context, input, { repository, configuration }))) return [];
  const { whole } = await clonesOfOthers(context, repository);
  const chosen = new Map<string, ChosenWorker>();
  for (const id of new Set(takers.values()))
    chosen.set(id, { id, name: await nameOfWorker(context, id), clones: !whole.has(id) });
  return agents.map((_, index) => chosen.get(takers.get(idOf(index)) ?? "") ?? null);
}

/** No run has such an id. */
const idOf = (index: number) => `planned ${index}`;

/** As the rows would tell them: those that begin here are no matter of others. */
async function plannedRuns(
  context: Uses<"db" | "owner">,
  { repository, agents, waits, labels }: WaitingHere & { readonly labels: readonly string[] },
): Promise<readonly MovableRun[]> {
  const own = ownWorker(context);
  const key = repository.address === null ? null : keyOfAddress(repository.address);
  if (own === null || key === null || waits.every((each) => each === null)) return [];
  const unclonedAt = await clonedOnceAt(context, { key, own });
  return agents.flatMap((agent, index): MovableRun[] => {
    const waitsFor = waits[index] ?? null;
    if (waitsFor === null) return [];
    return [
      {
        ...{ id: idOf(index), worker: own, repository: key, labels, unclonedAt },
        waits: { reason: waitsFor.reason, sharedLogin: isNamed(loginOf(context, agent)) },
        agent: agent.profile.id,
        needs: neededProtocol({ kind: "agent" }),
        ...{ refusedBy: [], waitsAt: [] },
      },
    ];
  });
}
