/** Keeps one agent from its start to `exit.json`, in a separate process that outlives the server (seed 003 Phase 2). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { secretValues } from "../domain/agent/redact.ts";
import type { Clock } from "../utils/time/clock.ts";
import { adoptOrphans } from "./adopt-orphans.ts";
import { claimRun, writeExit } from "./claim.ts";
import { KEEPER_FILES, type KeeperOrder, type KeeperRecord, type KeeperSpec, parseSpec } from "./files.ts";
import { type AgentSurroundings, couldNotStart, type Ending, keepAgent } from "./keep-agent.ts";
import { takeSummary } from "./take-summary.ts";

interface KeepOptions extends Pick<AgentSurroundings, "dir" | "activity" | "held"> {
  readonly run: string;
  readonly clock: Clock;
  /** Waits for the server's order, which may come long after the start of this process; null if none comes. */
  readonly order: () => Promise<KeeperOrder | null>;
}

/** Exit codes of the keeper itself. */
const WRITTEN = 0;
const NOT_WRITTEN = 1;
const KEPT_ALREADY = 3;
const NOT_ORDERED = 4;

/**
 * Runs the agent of `spec.json` to its end and writes `exit.json`. Returns the exit code of the keeper itself. It is
 * 0 if `exit.json` was written, and 1 if it could not be. It is 3 if the run already has (or had) a keeper. It is 4
 * if no order came: nothing was written at all. Throws if not even `keeper.json` could be written; nothing was
 * started then.
 */
export async function keep(options: KeepOptions): Promise<number> {
  const { dir, run, clock } = options;
  // The server's terminal may close; the agent continues.
  process.on("SIGHUP", () => {});
  // Now, while no caller waits for this process yet.
  const orphans = adoptOrphans();
  const order = await options.order();
  if (order === null) return NOT_ORDERED;
  const record = await claimRun(dir);
  if (record === null) return KEPT_ALREADY;
  const spec = readSpec(dir);
  const ending =
    spec?.run === run
      ? await keepToEnd({ ...options, ...order, orphans }, spec, record)
      : couldNotStart(new Error(`${KEEPER_FILES.spec} is missing, damaged or of another run`));
  const written = await writeExit(dir, { ...ending, endedAt: clock.iso() });
  return written ? WRITTEN : NOT_WRITTEN;
}

/** The agent's summary belongs to its end. Only this process knows all secrets that must not be stored with it. */
async function keepToEnd(
  options: AgentSurroundings,
  spec: KeeperSpec,
  record: KeeperRecord,
): Promise<Ending> {
  const secrets = [...secretValues(options.env, { names: spec.redactNames }), ...options.secrets];
  const ending = await keepAgent({ ...options, secrets }, spec, record);
  await takeSummary(options.dir, spec.summaryFile, secrets);
  return ending;
}

/** Null if it is missing or damaged. A synchronous read: the keeper has no other work. */
function readSpec(dir: string): KeeperSpec | null {
  try {
    return parseSpec(readFileSync(join(dir, KEEPER_FILES.spec), "utf8"));
  } catch {
    return null;
  }
}
