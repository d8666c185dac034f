/** Finds the git that stands behind the guard on the PATH. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** A wrapper behind the guard may look along the PATH from its beginning, and would come upon the guard again. */
const TURNS = { beforeTheLast: 8, most: 16 };

export interface BehindTheGuard {
  readonly path: string;
  /** Absolute: the folder that holds the guard's own `git`. */
  readonly folder: string;
  /** How often this call came through a guard already, those in its callers too. */
  readonly turns: number;
}

/** Absolute; null where there is none. The first behind the guard, or the last of all for a call that goes round. */
export function findRealGit({ path, folder, turns }: BehindTheGuard): string | null {
  if (turns > TURNS.most) return null;
  const entries = path.split(delimiter);
  const own = realOf(folder);
  const last = entries.findLastIndex((entry) => isAbsolute(entry) && realOf(entry) === own);
  const gits = entries
    .slice(last + 1)
    .filter(isAbsolute)
    .map((entry) => join(entry, "git"))
    .filter(isProgram);
  return (turns > TURNS.beforeTheLast ? gits.at(-1) : gits[0]) ?? null;
}

function realOf(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
