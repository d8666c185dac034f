/** Puts something empty where an agent could plant what its program obeys, since only what is there can be held. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { AgentPlaces, ObeyedPlace } from "../../executors/executor.ts";

/** It stays there: another run may hold it by now, and it says nothing. Folders of agents that are not used here are left alone. */
export async function makeHeld({ obeyed, own }: Pick<AgentPlaces, "obeyed" | "own">): Promise<void> {
  for (const place of obeyed) if (place.blank !== null && existsSync(place.folder)) await make(place);
  for (const path of own) if (existsSync(dirname(path))) await mkdir(path, { recursive: true, mode: 0o700 });
}

async function make({ path, blank }: ObeyedPlace): Promise<void> {
  const made =
    blank === "folder"
      ? mkdir(path, { mode: 0o700 })
      : writeFile(path, blank?.text ?? "", { mode: 0o600, flag: "wx" });
  // There already, or in a place that nobody can write: what changes is told all the same.
  await made.catch(() => undefined);
}
