/** Examines everything from within an engine, which has its own database open. */
import { ok, type Result } from "neverthrow";
import type { DatabaseState } from "../../domain/doctor/database.ts";
import type { Finding } from "../../domain/doctor/finding.ts";
import { type StorageError, storageErrorOf } from "../../storage/schema/storage-error.ts";
import { inspectSqlite } from "../../storage/sqlite/inspect-sqlite.ts";
import { lastSeq } from "../../storage/tables/facts.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Refusal } from "../core/refusal.ts";
import type { SettingsQuery } from "../core/request-shapes.ts";
import type { DoctorContext } from "./doctor-context.ts";
import { examine } from "./examine.ts";

export async function doctor(
  context: Omit<DoctorContext, "database" | "db"> & Uses<"db">,
  { repository, settings }: SettingsQuery,
): Promise<Result<readonly Finding[], Refusal>> {
  const database = await stateOf(context);
  const isReadable =
    database.state === "sound" || (database.state === "postgres" && database.trouble === null);
  const doctorContext: DoctorContext = {
    ...context,
    configuration: (examined) => context.configuration(examined, settings),
    database,
    db: isReadable ? context.db : null,
  };
  return ok(await examine(doctorContext, repository));
}

async function stateOf({ db, paths }: Uses<"db" | "paths">): Promise<DatabaseState> {
  if (db.kind === "postgres") return { state: "postgres", trouble: await troubleOf(db) };
  // The engine has migrated it to its own schema, so the database's version does not matter.
  const look = await inspectSqlite(paths.database, { programVersion: "", inUse: true });
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
