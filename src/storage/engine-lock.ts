/** Holds the lock that lets one engine at a time work on a data folder; the kernel frees it when its process dies. */
import { Database as SqliteHandle } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { type StorageError, storageErrorOf } from "./storage-error.ts";

export interface EngineLock {
  /** Frees the lock; once more is harmless. */
  release(): void;
}

/**
 * Takes `engine.lock` in the data folder, which exists, or answers that another process (or this one) holds it.
 * The file stays behind and holds nothing. Nothing else in this process may open it: closing any other handle of
 * the file would free the lock (that is how POSIX locks work).
 */
export function takeEngineLock(dataFolder: string): Result<EngineLock | "held", StorageError> {
  const file = join(dataFolder, "engine.lock");
  try {
    const handle = new SqliteHandle(file, { readwrite: true, create: true });
    // Whoever may read it may lock it too, and no engine could begin.
    chmodSync(file, 0o600);
    return ok(lockOf(handle));
  } catch (error) {
    const known = storageErrorOf(error);
    if (known === null) throw error;
    const remedy = known.code === "database_corrupt" ? FOREIGN_FILE : known.remedy;
    return err({ code: known.code, message: `The lock ${file} cannot be taken.`, remedy });
  }
}

const FOREIGN_FILE =
  "The file is not a lock of Tazuna's. Make sure that no Tazuna works on this data folder, then delete it.";

/** Two that ask at the same moment can be in each other's way; within this time one of them gets it. */
const PATIENCE_MS = 50;

/** The collector closes a handle that nobody refers to, and with it the lock; these are referred to until released. */
const held = new Set<SqliteHandle>();

function lockOf(handle: SqliteHandle): EngineLock | "held" {
  try {
    handle.run(`pragma busy_timeout = ${PATIENCE_MS}`);
    handle.run("begin exclusive");
  } catch (error) {
    handle.close();
    if (storageErrorOf(error)?.code === "database_locked") return "held";
    throw error;
  }
  held.add(handle);
  return {
    release: () => {
      if (held.delete(handle)) handle.close();
    },
  };
}
