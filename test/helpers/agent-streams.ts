/** Plays captured agent streams through a parser and reads what was checked by hand to come out of them. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { UsageTotals } from "../../src/domain/agent/counters.ts";
import type {
  AgentExit,
  AgentParser,
  AgentProfile,
  Executor,
  LaunchRequest,
} from "../../src/executors/shared/executor.ts";

const FIXTURES = resolve(import.meta.dir, "../fixtures");

/** Names of the streams of one program, without the ending. */
export function streamsOf(program: string): readonly string[] {
  return readdirSync(join(FIXTURES, "agent-streams", program))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length))
    .sort();
}

/** The lines of a stream, as the program printed them. */
export function linesOf(program: string, name: string): readonly string[] {
  const text = readFileSync(join(FIXTURES, "agent-streams", program, `${name}.jsonl`), "utf8");
  return text.split("\n").filter((line) => line !== "");
}

/** What the program said on stderr in that run; empty if nothing was kept. */
export function stderrOf(program: string, name: string): string {
  try {
    return readFileSync(join(FIXTURES, "agent-streams", program, `${name}.stderr.txt`), "utf8");
  } catch {
    return "";
  }
}

/** One line per event, then the result: the form of `test/fixtures/agent-events`. */
export function believed(program: string, name: string): readonly string[] {
  const text = readFileSync(join(FIXTURES, "agent-events", program, `${name}.jsonl`), "utf8");
  return text.split("\n").filter((line) => line !== "");
}

export interface PlayOptions {
  readonly exit: Partial<AgentExit>;
  readonly request?: LaunchRequest;
  readonly previous?: UsageTotals;
}

/** Feeds every line and ends the run; the same form as `believed`. */
export function play(executor: Executor, lines: readonly string[], options: PlayOptions): readonly string[] {
  const request = options.request ?? launchRequest({});
  const parser = executor.parser({ request, previous: options.previous ?? null });
  return told(parser, lines, options.exit);
}

export function told(
  parser: AgentParser,
  lines: readonly string[],
  exit: Partial<AgentExit>,
): readonly string[] {
  const events = lines.flatMap((line) => parser.feed(line));
  return [...events, parser.finish(agentExit(exit))].map((value) => JSON.stringify(value));
}

export function agentExit(exit: Partial<AgentExit>): AgentExit {
  return {
    code: 0,
    signal: null,
    stderr: "",
    summaryFile: null,
    endedAt: "2026-11-21T21:00:00.000Z",
    ...exit,
  };
}

export function agentProfile(profile: Partial<AgentProfile>): AgentProfile {
  const nothing = { model: null, command: null, args: [], env: {}, home: null, login: null, approvals: null };
  return { id: "agent", executor: "", ...nothing, ...profile };
}

/** The run that the captured streams were made in. */
export function launchRequest(
  request: Omit<Partial<LaunchRequest>, "profile"> & { readonly profile?: Partial<AgentProfile> },
): LaunchRequest {
  return {
    ids: { task: "task-1", attempt: "attempt-1", run: "run-1" },
    worktree: "/workspace",
    agentDir: "/data/runs/run-1/agent",
    summaryFile: "/data/runs/run-1/summary/summary.txt",
    prompt: "the whole prompt",
    instruction: "the instruction",
    session: { resume: null, fresh: "11111111-2222-4333-8444-555555555555" },
    isolation: "guard",
    approvals: "never",
    mcp: [],
    hook: null,
    ...request,
    profile: agentProfile(request.profile ?? {}),
  };
}
