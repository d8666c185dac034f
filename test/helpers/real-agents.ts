/** Finds the pinned agent command lines that `npm run agents` installs, for tests that drive real ones. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { which } from "bun";
import pinned from "../../scripts/agents.json";

export type RealAgentName = "claude" | "codex" | "gemini" | "opencode";

export interface RealAgent {
  readonly program: RealAgentName;
  readonly version: string;
  /** Absolute; null if the pinned version is not there. */
  readonly binary: string | null;
  /** Why its tests are skipped, or null. Hand it to `test.skipIf(agent.skip !== null)` and into the name. */
  readonly skip: string | null;
}

/** The agent in the cache folder, else on PATH in exactly the pinned version, else the reason to skip. */
export function realAgent(program: RealAgentName): RealAgent {
  const pin = pinned.find((candidate) => candidate.program === program);
  if (pin === undefined) throw new Error(`${program} is not in scripts/agents.json`);
  const binary = inCache(program, pin) ?? onPath(program, pin.version);
  const skip = binary === null ? `${program} ${pin.version} is not installed: run \`npm run agents\`` : null;
  return { program, version: pin.version, binary, skip };
}

/** The cache is filled by an atomic rename after the version was checked, so presence is enough. */
function inCache(
  program: RealAgentName,
  pin: { readonly package: string; readonly version: string },
): string | null {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "tazuna-agents");
  const folder = join(cache, `${pin.package.split("/").at(-1)}-${pin.version}`);
  const binary = join(folder, "node_modules", ".bin", program);
  return existsSync(binary) ? binary : null;
}

function onPath(program: RealAgentName, version: string): string | null {
  const found = which(program);
  if (found === null) return null;
  const asked = spawnSync(found, ["--version"], { encoding: "utf8", timeout: 60_000 });
  return asked.status === 0 && asked.stdout.includes(version) ? found : null;
}
