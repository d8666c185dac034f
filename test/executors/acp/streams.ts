/** Plays captured conversations of the Agent Client Protocol: only what the agent said is fed. */
import type { UsageTotals } from "../../../src/domain/agent/counters.ts";
import { acp } from "../../../src/executors/acp/index.ts";
import type { AgentParser, LaunchRequest } from "../../../src/executors/shared/executor.ts";
import { agentExit, launchRequest, linesOf } from "../../helpers/agent-streams.ts";

interface Recorded {
  readonly dir: ">" | "<";
  readonly msg: {
    readonly id?: number | string;
    readonly method?: string;
    readonly params?: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>;
}

export const recorded = (name: string): readonly Recorded[] =>
  linesOf("acp", name).map((line) => JSON.parse(line) as Recorded);

/** The run as the recording client made it: a loaded session if it loaded one. */
export function requestOf(name: string): LaunchRequest {
  const load = recorded(name).find(({ msg }) => msg.method === "session/load");
  const resume = load === undefined ? null : String(load.msg.params?.sessionId);
  return launchRequest({
    profile: { executor: "acp", command: ["agent"] },
    session: { resume, fresh: "unused" },
  });
}

/** The ids of our own requests, if the recording client may have used others. */
const OUR_IDS: ReadonlyMap<string, number> = new Map([
  ["initialize", 0],
  ["session/new", 1],
  ["session/load", 1],
  ["session/prompt", 3],
]);

/** What the agent said, its answers addressed to our requests; answers to what we never ask are left out. */
export function agentLines(name: string): readonly string[] {
  const asked = new Map<unknown, string>();
  const lines: string[] = [];
  for (const { dir, msg } of recorded(name)) {
    if (dir === ">" && msg.method !== undefined && msg.id !== undefined) asked.set(msg.id, msg.method);
    if (dir === ">") continue;
    if (msg.method !== undefined) lines.push(JSON.stringify(msg));
    const ours = msg.method === undefined ? OUR_IDS.get(asked.get(msg.id) ?? "") : undefined;
    if (ours !== undefined) lines.push(JSON.stringify({ ...msg, id: ours }));
  }
  return lines;
}

export const parserOf = (name: string, previous: UsageTotals | null): AgentParser =>
  acp.parser({ request: requestOf(name), previous });

/** Events, then our lines (`"reply"`), then the result: the form of `test/fixtures/agent-events/acp`. */
export function conversation(name: string, previous: UsageTotals | null): readonly string[] {
  const parser = parserOf(name, previous);
  const events = agentLines(name).flatMap((line) => parser.feed(line));
  const replies = (parser.replies?.() ?? []).map((line) => ({ reply: JSON.parse(line) }));
  const ended = { turnEnded: parser.turnEnded?.() };
  // The process lives on after the turn: it is ended by a signal, which must not matter.
  const result = parser.finish(agentExit({ code: null, signal: "SIGTERM" }));
  return [...events, ...replies, ended, result].map((value) => JSON.stringify(value));
}

/** What `claude-agent-acp-success-edit`, the first run of the loaded session, ended with. */
export const PREVIOUS: Readonly<Record<string, UsageTotals>> = {
  "claude-agent-acp-load": {
    inputTokens: 3_800,
    cachedInputTokens: 1_300,
    outputTokens: 52,
    costUsd: 0.015156,
  },
};
