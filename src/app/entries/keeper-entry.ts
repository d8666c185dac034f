/** Runs the keeper: `tazuna __keep RUN --dir DIR`. */
import { parseArgs } from "node:util";
import type { AgentEvent } from "../../domain/agent/events.ts";
import type { AgentParser } from "../../executors/shared/executor.ts";
import type { Activity, ActivityReader } from "../../keeper/agent-streams.ts";
import type { Meaning } from "../../keeper/cut-middle.ts";
import { parseOrder } from "../../keeper/files.ts";
import { keep } from "../../keeper/keep.ts";
import { startHeld } from "../../sandbox/start-held.ts";
import { systemClock } from "../../utils/time/clock.ts";

/** Answers the keeper's exit code. */
export function runKeeperEntry(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { dir: { type: "string" } },
    allowPositionals: true,
  });
  const [run] = positionals;
  if (run === undefined || values.dir === undefined) throw new Error("usage: __keep RUN --dir DIR");
  return keep({
    run,
    dir: values.dir,
    clock: systemClock,
    // Not `process.stdin`: Bun needs longer to load its modules than the rest of a keeper.
    order: () => Bun.stdin.text().then(parseOrder),
    activity: lateReader,
    held: startHeld,
  });
}

/**
 * Loads the parser while the agent already works: a person waits for every millisecond before its start. Lines that
 * come earlier are read when the parser is loaded, and count from then on. Until then no tool is known to run.
 */
function lateReader(executor: string): ActivityReader {
  let reader: ActivityReader | null = null;
  let early: string[] = [];
  let latest = NOTHING_KNOWN;
  const now: Activity = {
    get toolsRunning() {
      return latest.toolsRunning;
    },
    get meaning() {
      return latest.meaning;
    },
  };
  const readOn = (next: ActivityReader): void => {
    for (const line of early) latest = next(line);
    early = [];
    reader = next;
  };
  loadParser(executor).then(
    (parser) => readOn(parser === null ? onlyLife : countTools(parser)),
    () => readOn(onlyLife),
  );
  return (line) => {
    if (reader === null) early.push(line);
    if (reader !== null) latest = reader(line);
    return now;
  };
}

/** Without a parser every line is a sign of life. Nothing else is lost. */
const onlyLife: ActivityReader = () => NOTHING_KNOWN;

const NOTHING_KNOWN: Activity = { toolsRunning: 0, meaning: { matter: "tells", refusal: null } };

async function loadParser(executor: string): Promise<AgentParser | null> {
  const { createExecutors } = await import("../../executors/registry.ts");
  return (
    createExecutors({ selfCommand: [] }).find(executor)?.parser({ request: null, previous: null }) ?? null
  );
}

/**
 * Counts the tools that have begun and not ended; while one runs, silence is no stall. It also tells what a line
 * means to the readers of the stream.
 */
function countTools(parser: AgentParser): ActivityReader {
  const running = new Set<string>();
  return (line) => {
    const events = parser.feed(line);
    for (const event of events) {
      if (event.kind === "tool_call") running.add(event.id);
      if (event.kind === "tool_call_update" && event.status !== "in_progress") running.delete(event.id);
    }
    return { toolsRunning: running.size, meaning: meaningOf(parser, line, events) };
  };
}

/** The lines from which the end of a run, or an answer to the agent, is made. */
function meaningOf(parser: AgentParser, line: string, events: readonly AgentEvent[]): Meaning {
  const want = parser.wants?.(line) ?? null;
  if (want?.kind === "end") return { matter: "ends", refusal: null };
  if (want !== null) return { matter: "asks", refusal: want.kind === "answer" ? want.refusal : null };
  return { matter: events.some(({ kind }) => COUNTED.has(kind)) ? "counts" : "tells", refusal: null };
}

const COUNTED: ReadonlySet<AgentEvent["kind"]> = new Set(["session", "usage", "permission"]);
