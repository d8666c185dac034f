/** Chooses one of the agents that can run in a repository; one that cannot says why. */
import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../data/queries.ts";

interface AgentChoice {
  /** Null if none is ready. */
  readonly chosen: string | null;
  readonly agents: readonly {
    readonly id: string;
    readonly ready: boolean;
    readonly reason: string | null;
  }[];
}

/** `wanted` is what a person chose; without it `first`, else one that is ready: the demo last. */
export function useAgentChoice(
  repository: string,
  { wanted, first }: { readonly wanted: string | null; readonly first: string | null },
): AgentChoice {
  const { data } = useQuery(agentsQuery(repository));
  const agents = data?.items ?? [];
  const ready = agents.filter((agent) => agent.ready).map(({ id }) => id);
  const best = ready.find((id) => id === first) ?? ready.find((id) => id !== "demo") ?? ready[0];
  const chosen = wanted ?? best ?? null;
  return { chosen, agents };
}

export function AgentSelect(props: {
  readonly label: string;
  readonly choice: AgentChoice;
  readonly onChoose: (id: string) => void;
}) {
  const { chosen, agents } = props.choice;
  return (
    <label className="flex flex-col gap-1 text-small text-ink-2">
      {props.label}
      <select className="field" value={chosen ?? ""} onChange={({ target }) => props.onChoose(target.value)}>
        {agents.map(({ id, ready, reason }) => (
          <option key={id} value={id} disabled={!ready}>
            {ready || reason === null ? id : `${id}: ${reason}`}
          </option>
        ))}
      </select>
    </label>
  );
}
