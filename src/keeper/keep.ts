/** Keeps one agent from its start to `exit.json`, in a process of its own that outlives the server. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../utils/clock.ts";
import { adoptOrphans } from "./adopt-orphans.ts";
import { claimRun, writeExit } from "./claim.ts";
import { KEEPER_FILES, type KeeperOrder, type KeeperSpec, parseSpec } from "./files.ts";
import { type AgentSurroundings, couldNotStart, keepAgent } from "./keep-agent.ts";

export type { Activity, ActivityReader } from "./agent-streams.ts";

export interface KeepOptions extends Pick<AgentSurroundings, "dir" | "activity" | "held"> {
  readonly run: string;
  readonly clock: Clock;
  /** Waits for the server's word, which may come a good while after this process was started; null where none comes. */
  readonly order: () => Promise<KeeperOrder | null>;
}

/** Exit codes of the keeper itself. */
const WRITTEN = 0;
const NOT_WRITTEN = 1;
const KEPT_ALREADY = 3;
const NOT_ORDERED = 4;

/**
 * Runs the agent of `spec.json` to its end and writes `exit.json`. Returns the exit code of the keeper itself:
 * 0 where `exit.json` was written, 1 where it could not be, 3 where the run already has (or had) a keeper, 4 where no
 * order came: then nothing was written at all. Throws where not even `keeper.json` could be written; nothing was started then.
 */
export async function keep(options: KeepOptions): Promise<number> {
  const { dir, run, clock } = options;
  // The server's terminal may go; the agent works on.
  process.on("SIGHUP", () => {});
  // While nobody waits for us yet.
  const orphans = adoptOrphans();
  const order = await options.order();
  if (order === null) return NOT_ORDERED;
  const record = await claimRun(dir);
  if (record === null) return KEPT_ALREADY;
  const spec = readSpec(dir);
  const ending =
    spec?.run === run
      ? await keepAgent({ ...options, ...order, orphans }, spec, record)
      : couldNotStart(new Error(`${KEEPER_FILES.spec} is missing, damaged or of another run`));
  const written = await writeExit(dir, { ...ending, endedAt: clock.iso() });
  return written ? WRITTEN : NOT_WRITTEN;
}

/** Null where it is missing or damaged. Read at once: the keeper has nothing else to do. */
function readSpec(dir: string): KeeperSpec | null {
  try {
    return parseSpec(readFileSync(join(dir, KEEPER_FILES.spec), "utf8"));
  } catch {
    return null;
  }
}
