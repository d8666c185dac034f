/** Says which database an engine works on, and opens it: its own, one that was named, or one that it joined. */
import { err, ok, type Result } from "neverthrow";
import type { DataPaths } from "../../services/core/data-paths.ts";
import { clockAhead } from "../../services/workers/watch-clock.ts";
import type { WorkerFile } from "../../services/workers/worker-file.ts";
import { openDatabase } from "../../storage/database.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import { type StorageError, storageErrorOf } from "../../storage/schema/storage-error.ts";
import { systemClock } from "../../utils/time/clock.ts";
import type { Settings } from "../process/settings.ts";
import { type ClockError, clockTrouble } from "./clock-ahead.ts";

export interface Place {
  /** The address of a Postgres; null for the data folder's own database. */
  readonly database: string | null;
  /** What the server gave; null if the engine works on another database than that. */
  readonly joined: WorkerFile | null;
  /** An agent without a sandbox could read the login in `worker.json`. */
  readonly onlySandbox: boolean;
}

/** `named`: by a flag or a variable, which wins over the file. */
export function placeOf(named: string | null, file: WorkerFile | null): Place {
  const joined = named === null ? file : null;
  return {
    database: named ?? file?.database ?? null,
    joined,
    onlySandbox: file !== null && !file.allow_guard,
  };
}

/** A worker that joined changes no tables, and has to tell nearly the same time as the database. */
export async function openPlace(
  settings: Pick<Settings, "version">,
  { database, joined }: Place,
  { paths, isAlone }: { readonly paths: DataPaths; readonly isAlone: boolean },
): Promise<Result<Database, StorageError | ClockError>> {
  const target =
    database === null
      ? ({ kind: "sqlite", file: paths.database } as const)
      : ({ kind: "postgres", url: database } as const);
  const opened = await openDatabase(target, {
    backupDir: paths.backups,
    programVersion: settings.version,
    mayMigrate: joined !== null ? "nothing" : isAlone ? "all" : "additions",
  });
  if (joined === null) return opened;
  if (opened.isErr()) return err(inWords(opened.error, joined));
  const trouble = await clockAhead({ db: opened.value, clock: systemClock }).then(
    clockTrouble,
    storageErrorOrThrow,
  );
  if (trouble === null) return ok(opened.value);
  await opened.value.close();
  return err(trouble);
}

function storageErrorOrThrow(thrown: unknown): StorageError {
  const known = storageErrorOf(thrown);
  if (known === null) throw thrown;
  return known;
}

/** What a worker can do about it: the server alone changes the tables, and hands out logins. */
function inWords(error: StorageError, { server, name }: WorkerFile): StorageError {
  const remedy = {
    database_older: `Bring the server (${server}) to this version and start it: it changes the tables, a worker never does.`,
    database_newer: `Bring this worker to the version of the server (${server}), then start it again.`,
    database_unreachable: `See that the Postgres runs, and that this machine reaches it. If ${name} was removed, set TAZUNA_HOME to a fresh folder and join again: \`tazuna workers invite\` on the server prints the command.`,
  }[error.code as string];
  return remedy === undefined ? error : { ...error, remedy };
}
