/** Is the keeper's process: `tazuna __keep RUN --dir DIR`. */
import { parseArgs } from "node:util";
import type { AgentParser } from "../executors/executor.ts";
import { parseOrder } from "../keeper/files.ts";
import { type Activity, type ActivityReader, keep } from "../keeper/keep.ts";
import { startHeld } from "../sandbox/start-held.ts";
import { systemClock } from "../utils/clock.ts";

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
    // Not `process.stdin`, whose modules take Bun longer to load than the rest of a keeper.
    order: () => Bun.stdin.text().then(parseOrder),
    activity: lateReader,
    held: startHeld,
  });
}

/**
 * A reader whose parser is loaded while the agent already works: every millisecond before its start is waited for by a
 * person. Lines that come earlier are read as soon as it is there, and count from then on; until then no tool is known to run.
 */
function lateReader(executor: string): ActivityReader {
  let reader: ActivityReader | null = null;
  let early: string[] = [];
  let latest: Activity = { toolsRunning: 0 };
  const now: Activity = {
    get toolsRunning() {
      return latest.toolsRunning;
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

/** Without a parser every line is a sign of life, which is all that is lost. */
const onlyLife: ActivityReader = () => ({ toolsRunning: 0 });

async function loadParser(executor: string): Promise<AgentParser | null> {
  const { createExecutors } = await import("../executors/registry.ts");
  return (
    createExecutors({ selfCommand: [] }).find(executor)?.parser({ request: null, previous: null }) ?? null
  );
}

/** Tools that have begun and not ended; while one runs, silence is no stall. */
function countTools(parser: AgentParser): ActivityReader {
  const running = new Set<string>();
  return (line) => {
    for (const event of parser.feed(line)) {
      if (event.kind === "tool_call") running.add(event.id);
      if (event.kind === "tool_call_update" && event.status !== "in_progress") running.delete(event.id);
    }
    return { toolsRunning: running.size };
  };
}
