/** Knows which files of a run hold what its agent printed, and measures them. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { KEEPER_FILES } from "../../keeper/files.ts";

export const PRINTED = [
  ...[KEEPER_FILES.out, KEEPER_FILES.err],
  ...[KEEPER_FILES.places, KEEPER_FILES.times],
] as const;

/** Of the folder of a run; 0 if nothing is there. */
export async function logBytes(folder: string): Promise<number> {
  const found = await Promise.all(PRINTED.map((name) => lstat(join(folder, name)).catch(() => null)));
  return found.reduce((sum, each) => sum + (each?.isFile() ? each.size : 0), 0);
}
