/** Takes the locks that let only one engine work on a data folder and on a database. */
import { err, ok, type Result } from "neverthrow";
import type { DataPaths } from "../../services/core/data-paths.ts";
import { takeEngineLock } from "../../storage/engine-lock.ts";
import type { StorageError } from "../../storage/schema/storage-error.ts";
import type { DataFolderError } from "../process/data-folder.ts";

export type EngineError =
  | StorageError
  | DataFolderError
  | {
      readonly code: "engine_running";
      readonly message: string;
      readonly remedy: string;
      /** Whether it works on this data folder, or on another one with the same database. */
      readonly where: "here" | "elsewhere";
    };

export interface EngineLocks {
  release(): Promise<void>;
}

/** Takes the lock of the data folder, and that of the Postgres, which several data folders may share. */
export async function takeLocks(
  paths: DataPaths,
  options: { readonly database: string | null; readonly onLost: () => void },
): Promise<Result<EngineLocks, EngineError>> {
  const folder = takeEngineLock(paths.root);
  if (folder.isErr()) return err(folder.error);
  if (folder.value === "held") return err(alreadyRunning(paths.root));
  const { release } = folder.value;
  if (options.database === null) return ok({ release: async () => release() });
  const { takePostgresEngineLock } = await import("../../storage/postgres/postgres-engine-lock.ts");
  const lock = await takePostgresEngineLock(
    { url: options.database, schema: null },
    { onLost: options.onLost },
  );
  if (lock.isOk() && lock.value !== "held") {
    const shared = lock.value;
    return ok({ release: () => shared.release().finally(release) });
  }
  release();
  return err(lock.isErr() ? lock.error : RUNNING_ELSEWHERE);
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
  message: "Another Tazuna, with another data folder, works on this database.",
  remedy: "Use that data folder (TAZUNA_HOME), stop that Tazuna, or name another database.",
  where: "elsewhere",
};
