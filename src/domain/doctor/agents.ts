/** Says which agents could work now. */
import type { Finding } from "./finding.ts";
import { found } from "./found.ts";

export interface AgentFacts {
  readonly id: string;
  readonly version: string | null;
  readonly ready: boolean;
  /** Sentences, the remedy last; null where there is nothing to say. */
  readonly reason: string | null;
  /** The configuration names it, so it is wanted. */
  readonly configured: boolean;
  /** It works without a model; it does no work. */
  readonly demo: boolean;
}

export function agentFindings(agents: readonly AgentFacts[]): readonly Finding[] {
  const none = agents.length > 0 && !agents.some(({ ready, demo }) => ready && !demo);
  return [
    ...agents.map(agentFinding),
    ...(none
      ? [
          found("warning", "agents", "No agent is ready but the built-in demo.", {
            remedy: "Install one of them, or name a program of yours in `agents` of the configuration.",
          }),
        ]
      : []),
  ];
}

function agentFinding({ id, version, ready, reason, configured }: AgentFacts): Finding {
  const named = version === null ? id : `${id} ${version}`;
  if (ready)
    return found("ok", `agent:${id}`, `${named} is ready.`, { why: reason === null ? null : `${reason}.` });
  const [what, remedy] = partsOf(reason ?? "It cannot be used.");
  // One that is installed or configured is meant to work; of the others it is enough to know.
  const level = configured || version !== null ? "warning" : "info";
  return found(level, `agent:${id}`, `${named}: ${what}`, { remedy });
}

/** What is wrong, and what to do about it: the remedies of executors begin with one of these words. */
function partsOf(reason: string): readonly [what: string, remedy: string | null] {
  const [, what, remedy] = /^(.*?[^ ]) ((?:Install it|Known are|Mend|Run|Set|Add)\b.*)$/s.exec(reason) ?? [];
  return what === undefined || remedy === undefined ? [reason, null] : [what, remedy];
}
