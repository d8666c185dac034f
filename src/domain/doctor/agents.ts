/** Reports which agents could work now. */
import { type Finding, makeFinding } from "./finding.ts";

export interface AgentFacts {
  readonly id: string;
  readonly version: string | null;
  readonly ready: boolean;
  /** Sentences, the remedy last; null if there is nothing to say. */
  readonly reason: string | null;
  /** The configuration names it, so it is wanted. */
  readonly configured: boolean;
  /** It works without a model, and only for demonstration. */
  readonly demo: boolean;
}

export function agentFindings(agents: readonly AgentFacts[]): readonly Finding[] {
  const none = agents.length > 0 && !agents.some(({ ready, demo }) => ready && !demo);
  const noneReady = makeFinding("warning", "agents", "No agent is ready but the built-in demo.", {
    remedy: "Install one of them, or name a program of yours in `agents` of the configuration.",
  });
  return [...agents.map(agentFinding), ...(none ? [noneReady] : [])];
}

function agentFinding({ id, version, ready, reason, configured }: AgentFacts): Finding {
  const named = version === null ? id : `${id} ${version}`;
  if (ready)
    return makeFinding("ok", `agent:${id}`, `${named} is ready.`, {
      why: reason === null ? null : `${reason}.`,
    });
  const [what, remedy] = partsOf(reason ?? "It cannot be used.");
  // An agent that is installed or configured is meant to work. For the others, information is enough.
  const level = configured || version !== null ? "warning" : "info";
  return makeFinding(level, `agent:${id}`, `${named}: ${what}`, { remedy });
}

/** The fault and its remedy: the remedies of executors begin with one of these words. */
function partsOf(reason: string): readonly [what: string, remedy: string | null] {
  const [, what, remedy] = /^(.*?[^ ]) ((?:Install it|Known are|Mend|Run|Set|Add)\b.*)$/s.exec(reason) ?? [];
  return what === undefined || remedy === undefined ? [reason, null] : [what, remedy];
}
