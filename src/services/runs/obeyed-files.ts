/** Tells whether an agent changed what its own program obeys when a person starts it: the one way out of its run that stays open. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RunNote } from "../../domain/run/run.ts";
import { note } from "./step.ts";

/** By path: what is there, in one word; null where nothing is. */
export type ObeyedFiles = Readonly<Record<string, string | null>>;

/** Files of a folder; what comes after is not looked at. */
const MOST_ENTRIES = 5_000;

export function readObeyed(paths: readonly string[]): ObeyedFiles {
  return Object.fromEntries(paths.map((path) => [path, stateOf(path)]));
}

/** A person may have changed them meanwhile: so it is told, and nothing is put back. */
export function obeyedNotes(before: ObeyedFiles): readonly RunNote[] {
  const changed = Object.entries(before).filter(([path, state]) => stateOf(path) !== state);
  return changed.map(([path]) =>
    note("agent_settings_changed", `${path} changed while the agent worked. Its program obeys it.`, { path }),
  );
}

/**
 * By what the file system notes of each file: the time of the last change to it is the one that no program can set. Folders
 * count for what is in them: some programs make empty ones as they start.
 */
function stateOf(path: string): string | null {
  const hash = createHash("sha256");
  let seen = 0;
  const add = (at: string): void => {
    const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || seen >= MOST_ENTRIES) return;
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
