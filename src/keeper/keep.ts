/** Keeps one agent from its start to `exit.json`, in a process of its own that outlives the server. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../utils/clock.ts";
import { claimRun, writeExit } from "./claim.ts";
import { KEEPER_FILES, parseSpec } from "./files.ts";
import { type AgentSurroundings, couldNotStart, keepAgent } from "./keep-agent.ts";

export type { Activity, ActivityReader } from "./keep-agent.ts";

export interface KeepOptions extends AgentSurroundings {
  readonly run: string;
  readonly clock: Clock;
}

/** Exit codes of the keeper itself. */
const WRITTEN = 0;
const NOT_WRITTEN = 1;
const KEPT_ALREADY = 3;

/**
 * Runs the agent of `spec.json` to its end and writes `exit.json`. Returns the exit code of the keeper itself:
 * 0 where `exit.json` was written, 1 where it could not be, 3 where the run already has (or had) a keeper.
 * Throws where not even `keeper.json` could be written; nothing was started then.
 */
export async function keep(options: KeepOptions): Promise<number> {
  const { dir, run, clock } = options;
  // The server's terminal may go; the agent works on.
  process.on("SIGHUP", () => {});
  const record = await claimRun(dir);
  if (record === null) return KEPT_ALREADY;
  const spec = parseSpec(await readFile(join(dir, KEEPER_FILES.spec), "utf8").catch(() => ""));
  const ending =
    spec?.run === run
      ? await keepAgent(options, spec, record)
      : couldNotStart(new Error(`${KEEPER_FILES.spec} is missing, damaged or of another run`));
  const written = await writeExit(dir, { ...ending, endedAt: clock.iso() });
  return written ? WRITTEN : NOT_WRITTEN;
}
