/** Protects and watches the configuration of an agent's program, which a person's own start reads too. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RunNote } from "../../../domain/run/run.ts";
import type { AgentConfigPlace, AgentPlaces } from "../../../executors/shared/executor.ts";
import type { Confinement } from "../../confinement/confine-run.ts";
import { note } from "../../run-core/step.ts";

/** By path: the state of the file or folder as one word; null if nothing is there. */
type AgentConfigFiles = Readonly<Record<string, string | null>>;

/** The most files of a folder to look at. */
const MAX_ENTRIES = 5_000;

export function readAgentConfig(paths: readonly string[]): AgentConfigFiles {
  return Object.fromEntries(paths.map((path) => [path, stateOf(path)]));
}

/** A person may have changed them meanwhile, so a change is only reported and nothing is put back. */
export function agentConfigNotes(before: AgentConfigFiles): readonly RunNote[] {
  const changed = Object.entries(before).filter(([path, state]) => stateOf(path) !== state);
  return changed.map(([path]) =>
    note("agent_settings_changed", `${path} changed while the agent worked. Its program obeys it.`, { path }),
  );
}

/**
 * Built from what the file system notes of each file. No program can set the time of its last change (ctime). A
 * folder counts by its contents: some programs make empty folders when they start.
 */
function stateOf(path: string): string | null {
  const hash = createHash("sha256");
  let seen = 0;
  const add = (at: string): void => {
    const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || seen >= MAX_ENTRIES) return;
    if (stats.isDirectory()) {
      for (const name of readdirSync(at).sort()) add(join(at, name));
      return;
    }
    seen++;
    hash.update(`\0${at.slice(path.length)}\0${stats.mode} ${stats.ino} ${stats.size} ${stats.ctimeNs}`);
  };
  try {
    add(path);
    return seen === 0 ? null : hash.digest("hex");
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}

/**
 * What the agent's program may write to. A program that was never used has no folder yet, and could not make one. Only
 * a sandbox protects its configuration.
 */
export async function makePlaces(
  places: AgentPlaces,
  { isolation }: Pick<Confinement, "isolation">,
): Promise<readonly string[]> {
  const { folders, files } = places;
  for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  if (isolation === "sandbox") await makeHeld(places);
  return [...folders, ...files];
}

/**
 * Makes an empty file or folder at each path at which an agent could plant configuration. Only existing paths can be
 * held. They stay, because another run may hold them by now, and they have no effect. Folders of agents that are not
 * used here are left alone.
 */
async function makeHeld({ config, own }: AgentPlaces): Promise<void> {
  for (const place of config) if (place.blank !== null && existsSync(place.folder)) await make(place);
  for (const path of own) if (existsSync(dirname(path))) await mkdir(path, { recursive: true, mode: 0o700 });
}

async function make({ path, blank }: AgentConfigPlace): Promise<void> {
  const made =
    blank === "folder"
      ? mkdir(path, { mode: 0o700 })
      : writeFile(path, blank?.text ?? "", { mode: 0o600, flag: "wx" });
  // The path exists already, or it is in a place without write permission. A change is still reported.
  await made.catch(() => undefined);
}
