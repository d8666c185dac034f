/** Holds the lock that lets one engine work on a data folder; the kernel frees it when the process dies. */
import { Database as SqliteHandle } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { shellWord } from "../domain/text/shell-word.ts";
import { type StorageError, storageErrorOf } from "./schema/storage-error.ts";

export interface EngineLock {
  /** Frees the lock; a second call is harmless. */
  release(): void;
}

/**
 * Takes `engine.lock` in the existing data folder, or returns that another process (or this one) holds it. The file
 * stays behind without a lock. Nothing else in this process may open it. It is a POSIX lock: closing any other handle
 * of the file would free it.
 */
export function takeEngineLock(dataFolder: string): Result<EngineLock | "held", StorageError> {
  const file = join(dataFolder, "engine.lock");
  try {
    const handle = new SqliteHandle(file, { readwrite: true, create: true });
    // A user who can read the file could lock it too, and no engine could start.
    chmodSync(file, 0o600);
    return ok(lockOf(handle));
  } catch (error) {
    const known = storageErrorOf(error);
    if (known === null) throw error;
    const remedy = known.code === "database_corrupt" ? foreignFile(shellWord(file)) : known.remedy;
    return err({ code: known.code, message: `The lock ${file} cannot be taken.`, remedy });
  }
}

/** `file` is quoted for a shell. */
function foreignFile(file: string): string {
  return `It is no lock of Tazuna's. Once no Tazuna works on this data folder, \`mv ${file} ${file}.aside\` puts it aside.`;
}

/** Two calls at the same moment can block each other; within this time one of them gets the lock. */
const TIMEOUT_MS = 50;

/**
 * The garbage collector closes an unreferenced handle, and thereby frees the lock. This set references handles until
 * they are released.
 */
const held = new Set<SqliteHandle>();

function lockOf(handle: SqliteHandle): EngineLock | "held" {
  try {
    handle.run(`pragma busy_timeout = ${TIMEOUT_MS}`);
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
