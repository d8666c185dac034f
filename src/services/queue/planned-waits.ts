/** Asks the queue what new attempts would wait for, as if their runs stood at its end. */
import type { Repository } from "../../domain/repository/repository.ts";
import { repositoryKey } from "../../domain/repository/repository-key.ts";
import { type QueuedRun, type Slots, scheduleRuns } from "../../domain/run/scheduling.ts";
import type { Waiting } from "../../domain/run/waiting.ts";
import { standingOf } from "../../storage/team/drains.ts";
import { loginOf } from "../agents/login-of.ts";
import type { ResolvedAgent } from "../agents/resolve-agent.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { createQueueReader, lackingLabels } from "./queue.ts";

export type QueueContext = Parameters<typeof createQueueReader>[0] & Uses<"dispatcher">;

interface Planned {
  readonly repository: Repository;
  readonly configuration: LoadedConfiguration;
  readonly agents: readonly ResolvedAgent[];
  /** Those that their worker has to have. */
  readonly onLabels: readonly string[];
}

/** In the order of the agents; null for those that would begin now. */
export async function plannedWaits(
  context: QueueContext,
  { repository, configuration, agents, onLabels }: Planned,
): Promise<readonly (Waiting | null)[]> {
  const queue = createQueueReader(context);
  const facts = await queue.gather();
  const { parallel, per_repository: perRepository, per_login: perLogin } = configuration.values.limits;
  const own: Slots = { parallel, perRepository, perLogin };
  const than = ownWorker(context);
  const labels = than === null ? [] : (await standingOf(context.db.reader, than)).labels;
  const ours = agents.map(
    (agent, index): QueuedRun => ({
      id: `planned ${index}`,
      attemptId: `planned ${index}`,
      repositoryId: repository.id,
      repositoryKey: repositoryKey(repository, than),
      login: loginOf(context, agent),
      begun: false,
      held: false,
      ...lackingLabels(labels, onLabels),
    }),
  );
  const { waiting } = scheduleRuns(
    { ...facts, queued: [...facts.queued, ...ours], active: context.dispatcher().active() },
    (run) => (run.repositoryId === repository.id ? own : queue.slotsOf(run)),
  );
  const waits = new Map(waiting.map((each) => [each.run.id, each.waits]));
  return ours.map(({ id }) => waits.get(id) ?? null);
}
