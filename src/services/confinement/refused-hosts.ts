/** Tells on a run which places of the network its programs asked for and did not reach. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunNote } from "../../domain/run/run.ts";
import { countRefused, REFUSED_FILE } from "../../sandbox/network/refused-places.ts";
import type { ServiceContext } from "../context.ts";
import { note, type RunWorld } from "../runs/step.ts";
import { NETWORK_FOLDER } from "./listed-network.ts";

const CODE = "network_refused";
const MOST_NAMED = 50;

/** A note about those that no earlier one of this run names; none where there are none. */
export async function refusedHosts(
  context: Pick<ServiceContext, "paths">,
  { run, configuration }: Pick<RunWorld, "run" | "configuration">,
): Promise<readonly RunNote[]> {
  if (!Array.isArray(configuration.values.sandbox.network)) return [];
  const file = join(context.paths.run(run.id), NETWORK_FOLDER, REFUSED_FILE);
  const counts = countRefused(await readFile(file, "utf8").catch(() => ""));
  const told = new Set(
    run.notes.flatMap(({ code, details }) => (code === CODE ? Object.keys(Object(details.hosts)) : [])),
  );
  const fresh = [...counts].filter(([host]) => !told.has(host)).slice(0, Math.max(0, MOST_NAMED - told.size));
  if (fresh.length === 0) return [];
  const names = fresh.map(([host]) => host).join(", ");
  const message = `Not among the hosts of \`sandbox.network\`, so not reached: ${names}.`;
  return [note(CODE, message, { hosts: Object.fromEntries(fresh) })];
}
