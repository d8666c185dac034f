/** Examines everything from within an engine, whose own database is in use. */
import { ok, type Result } from "neverthrow";
import type { TaskSettings } from "../../domain/configuration/task-settings.ts";
import type { DatabaseState } from "../../domain/doctor/database.ts";
import type { Finding } from "../../domain/doctor/finding.ts";
import { lastSeq } from "../../storage/facts.ts";
import { lookAtSqlite } from "../../storage/look-at-sqlite.ts";
import { type StorageError, storageErrorOf } from "../../storage/storage-error.ts";
import type { ServiceContext } from "../context.ts";
import type { Refusal } from "../services.ts";
import { examine } from "./examine.ts";
import type { Patient } from "./patient.ts";

export async function doctor(
  context: ServiceContext,
  { repository, settings }: { readonly repository: string | null; readonly settings: TaskSettings },
): Promise<Result<readonly Finding[], Refusal>> {
  const database = await stateOf(context);
  const isReadable =
    database.state === "sound" || (database.state === "postgres" && database.trouble === null);
  const patient: Patient = {
    ...context,
    configuration: (of) => context.configuration(of, settings),
    database,
    db: isReadable ? context.db : null,
  };
  return ok(await examine(patient, repository));
}

async function stateOf({ db, paths }: ServiceContext): Promise<DatabaseState> {
  if (db.kind === "postgres") return { state: "postgres", trouble: await troubleOf(db) };
  // An engine has brought it to its own schema, so its version plays no part.
  const look = await lookAtSqlite(paths.database, { programVersion: "", inUse: true });
  if (look.state === "sound") await look.db.close();
  return look.state === "unusable" ? { state: "unusable", ...look.error } : { state: look.state };
}

async function troubleOf({ reader }: ServiceContext["db"]): Promise<StorageError | null> {
  try {
    await lastSeq(reader);
    return null;
  } catch (error) {
    const known = storageErrorOf(error);
    if (known === null) throw error;
    return known;
  }
}
