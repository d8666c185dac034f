/** Takes the locks that let only one engine work on a data folder and on a database. */
import { err, ok, type Result } from "neverthrow";
import type { DataPaths } from "../../services/core/data-paths.ts";
import type { WorkerFileError } from "../../services/workers/worker-file.ts";
import { takeEngineLock } from "../../storage/engine-lock.ts";
import type { StorageError } from "../../storage/schema/storage-error.ts";
import { type DataFolderError, readWorkerId } from "../process/data-folder.ts";
import type { ClockError } from "./clock-ahead.ts";
import type { WORKER_REMOVED } from "./ended-by-others.ts";

export type EngineError =
  | StorageError
  | DataFolderError
  | typeof WORKER_REMOVED
  | WorkerFileError
  | ClockError
  | {
      readonly code: "engine_running";
      readonly message: string;
      readonly remedy: string;
      /** Whether it works on this data folder, or on another one with the same database. */
      readonly where: "here" | "elsewhere";
    };

export interface EngineLocks {
  /** The `worker-id` of the data folder. */
  readonly worker: string;
  /** Whether no other engine works on the database, so that its schema may be changed. */
  readonly isAlone: boolean;
  /** Lets other engines of the same Postgres in, once its schema is that of the program. */
  share(): Promise<void>;
  release(): Promise<void>;
}

/** Takes the lock of the data folder. On a Postgres two more say who else may work on it (ADR 0084). */
export async function takeLocks(
  paths: DataPaths,
  options: { readonly database: string | null; readonly onLost: () => void },
): Promise<Result<EngineLocks, EngineError>> {
  const folder = takeEngineLock(paths.root);
  if (folder.isErr()) return err(folder.error);
  if (folder.value === "held") return err(alreadyRunning(paths.root));
  const { release } = folder.value;
  const worker = await readWorkerId(paths.workerId, { mustLast: options.database !== null });
  const locked = worker.isErr() ? err(worker.error) : await lockDatabase(worker.value, options);
  if (locked.isErr()) {
    release();
    return err(locked.error);
  }
  const { free, ...shared } = locked.value;
  return ok({ ...shared, release: () => free().finally(release) });
}

interface DatabaseLock extends Omit<EngineLocks, "release"> {
  free(): Promise<void>;
}

const NOTHING = async () => undefined;

async function lockDatabase(
  worker: string,
  options: { readonly database: string | null; readonly onLost: () => void },
): Promise<Result<DatabaseLock, EngineError>> {
  const { database, onLost } = options;
  if (database === null) return ok({ worker, isAlone: true, share: NOTHING, free: NOTHING });
  const { takePostgresEngineLock } = await import("../../storage/postgres/postgres-engine-lock.ts");
  const taken = await takePostgresEngineLock({ url: database, schema: null }, { worker, onLost });
  if (taken.isErr()) return err(taken.error);
  if (taken.value === "alone") return err(RUNNING_ELSEWHERE);
  if (taken.value === "worker") return err(runningTwice(worker));
  const { isAlone, share, release: free } = taken.value;
  return ok({ worker, isAlone, share, free });
}

function alreadyRunning(root: string): EngineError {
  return {
    code: "engine_running",
    message: `Another Tazuna works on ${root}.`,
    remedy:
      "Use it: `tazuna open` opens its page, and every command finds it by itself. Or set TAZUNA_HOME to another folder.",
    where: "here",
  };
}

const RUNNING_ELSEWHERE: EngineError = {
  code: "engine_running",
  message: "A Tazuna of an earlier version, or one that changes the tables, has this database for itself.",
  remedy:
    "Wait a minute and try again. Else stop that Tazuna (`tazuna engine stop` on its machine), and bring it to this version.",
  where: "elsewhere",
};

function runningTwice(worker: string): EngineError {
  return {
    code: "engine_running",
    message: `Another Tazuna works on this database under the same name, ${worker.slice(0, 8)}.`,
    remedy:
      "A data folder works at one place. If this one is a copy, delete its file `worker-id`; then it gets a name of its own.",
    where: "elsewhere",
  };
}
