/** Finds the pinned agent command lines that `npm run agents` installs, for tests that drive real ones. */
import { spawnSync } from "node:child_process";
import { which } from "bun";
import { pinnedProgram } from "./pinned-program.ts";

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
  const pinned = pinnedProgram(program);
  const binary = pinned.binary ?? onPath(program, pinned.version);
  const skip =
    binary === null ? `${program} ${pinned.version} is not installed: run \`npm run agents\`` : null;
  return { program, version: pinned.version, binary, skip };
}

function onPath(program: RealAgentName, version: string): string | null {
  const found = which(program);
  if (found === null) return null;
  const asked = spawnSync(found, ["--version"], { encoding: "utf8", timeout: 60_000 });
  return asked.status === 0 && asked.stdout.includes(version) ? found : null;
}
