/** Finds the programs that `npm run agents` installs into a cache folder. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import pinned from "../../scripts/agents.json";

/**
 * Its version, and its absolute path in the cache, or null if it is not there. The cache is filled by an atomic rename
 * after the version was checked, so presence is enough.
 */
export function pinnedProgram(program: string): { readonly version: string; readonly binary: string | null } {
  const pin = pinned.find((candidate) => candidate.program === program);
  if (pin === undefined) throw new Error(`${program} is not in scripts/agents.json`);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "tazuna-agents");
  const folder = join(cache, `${pin.package.split("/").at(-1)}-${pin.version}`);
  const binary = join(folder, "node_modules", ".bin", program);
  return { version: pin.version, binary: existsSync(binary) ? binary : null };
}
