/** Reads what lies in the data folder, one level deep; no link is followed, nothing is measured. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type DiskFact, PLACES, type Place } from "../../domain/ledgers/ledgers.ts";
import { pointerIn } from "../worktrees/own-pointer.ts";

/** A folder that cannot be listed tells nothing, and so do names that are no text. */
export async function readDisk(root: string): Promise<readonly DiskFact[]> {
  const places = PLACES.map(async (place) => {
    const folder = place === "root" ? root : join(root, place);
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    return entries
      .filter(({ name }) => place !== "root" || !isPlace(name))
      .map((entry) => factOf(entry, { place, folder }));
  });
  return (await Promise.all(places)).flat();
}

function isPlace(name: string): boolean {
  return PLACES.some((place) => place === name && place !== "root");
}

function factOf(
  entry: Dirent,
  { place, folder }: { readonly place: Place; readonly folder: string },
): DiskFact {
  const path = join(folder, entry.name);
  const kind = entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "file";
  const pointer = place === "worktrees" && kind === "folder" ? pointerIn(path) : null;
  return { place, name: entry.name, path, kind, pointer };
}
