/** Finds a Node that the library promises to run on, for the tests that run it there. */
import { spawnSync } from "node:child_process";
import { which } from "bun";
import PACKAGE from "../../package.json" with { type: "json" };
import { pinnedProgram } from "./pinned-program.ts";

/** As `engines` says it. */
const OLDEST = Number.parseInt(PACKAGE.engines.node.replace(/^>=/, ""), 10);

export interface LibraryNode {
  /** Absolute; null if there is none. */
  readonly binary: string | null;
  /** Why its tests are skipped, or null. Hand it to `test.skipIf(node.skip !== null)` and into the name. */
  readonly skip: string | null;
}

/** The pinned one in the cache folder (the oldest promised version), else that on PATH if new enough. */
export function libraryNode(): LibraryNode {
  const binary = pinnedProgram("node").binary ?? onPath();
  const wanted = `needs Node ${OLDEST} or newer: run \`npm run agents\``;
  return { binary, skip: binary === null ? wanted : null };
}

function onPath(): string | null {
  const found = which("node");
  if (found === null) return null;
  const asked = spawnSync(found, ["--version"], { encoding: "utf8", timeout: 60_000 });
  return Number.parseInt(asked.stdout.slice(1), 10) >= OLDEST ? found : null;
}
