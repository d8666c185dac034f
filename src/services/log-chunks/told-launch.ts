/** Reads what a reader of an agent's stream has to know of its start. */
import { join } from "node:path";
import { type ToldLaunch, toldLaunchSchema } from "../../domain/run/log-series.ts";
import { readRecord } from "../run-core/record-file.ts";

/** In the run's folder; `launch.ts` of the agent's step writes it. */
export const LAUNCH_FILE = "launch.json";

/** Null if the run's agent was never started. */
export function readToldLaunch(dir: string): Promise<ToldLaunch | null> {
  return readRecord(join(dir, LAUNCH_FILE), toldLaunchSchema);
}
