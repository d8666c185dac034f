/** Remembers for a short time that agents are ready, so that a form can ask while it is filled in. */
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { AgentStatus } from "../core/answer-shapes.ts";
import { statusesOf } from "../queries/agent-status.ts";

export type Readiness = (
  machine: Parameters<typeof statusesOf>[0],
  asked: {
    readonly configuration: LoadedConfiguration;
    readonly repository: string;
    readonly ids: readonly string[];
  },
) => Promise<ReadonlyMap<string, AgentStatus>>;

const KEPT_MS = 30_000;
const MAX_KEPT = 100;

/** An agent that is not ready is asked again each time: a person may just have mended it. */
export function createReadiness(): Readiness {
  const known = new Map<string, { readonly at: number; readonly status: AgentStatus }>();
  return async (machine, { configuration, repository, ids }) => {
    const { agents, isolation, sandbox } = configuration.values;
    const keyOf = (id: string) => JSON.stringify([repository, id, agents[id], isolation, sandbox]);
    const fresh = (id: string) => {
      const kept = known.get(keyOf(id));
      return kept !== undefined && performance.now() - kept.at < KEPT_MS ? kept.status : null;
    };
    const found = new Map<string, AgentStatus>();
    const unknown: string[] = [];
    for (const id of new Set(ids)) {
      const status = fresh(id);
      if (status === null) unknown.push(id);
      else found.set(id, status);
    }
    if (unknown.length === 0) return found;
    for (const status of await statusesOf(machine, { configuration, repository, only: unknown })) {
      found.set(status.id, status);
      if (known.size >= MAX_KEPT) known.clear();
      if (status.ready) known.set(keyOf(status.id), { at: performance.now(), status });
    }
    return found;
  };
}
