/** Finds the git after the guard on the PATH. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { tryOr } from "../utils/values/try-or.ts";

/** A wrapper after the guard may search the PATH from its beginning, and would find the guard again. */
const TURNS = { beforeTheLast: 8, max: 16 };

interface BehindTheGuard {
  readonly path: string;
  /** Absolute: the folder that holds the guard's own `git`. */
  readonly folder: string;
  /** How often this call came through a guard already, counting its callers. */
  readonly turns: number;
}

/** Absolute; null if there is none. The first git after the guard, or the very last one if a call goes in circles. */
export function findRealGit({ path, folder, turns }: BehindTheGuard): string | null {
  if (turns > TURNS.max) return null;
  const entries = path.split(delimiter);
  const realFolder = realOf(folder);
  const last = entries.findLastIndex((entry) => isAbsolute(entry) && realOf(entry) === realFolder);
  const gits = entries
    .slice(last + 1)
    .filter(isAbsolute)
    .map((entry) => join(entry, "git"))
    .filter(isProgram);
  return (turns > TURNS.beforeTheLast ? gits.at(-1) : gits[0]) ?? null;
}

function realOf(folder: string): string | null {
  return tryOr(() => realpathSync(folder), null);
}

function isProgram(file: string): boolean {
  return tryOr(() => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  }, false);
}
