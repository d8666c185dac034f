/** Names what an examination needs: database, git and paths, of an engine or of a command that works without one. */
import type { DatabaseState } from "../../domain/doctor/database.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import type { ServiceContext } from "../core/context.ts";

export interface DoctorContext
  extends Pick<
    ServiceContext,
    "git" | "probe" | "sandbox" | "clock" | "paths" | "executors" | "configuration" | "userEnv" | "ownFolders"
  > {
  readonly database: DatabaseState;
  /** The engine's set; null without an engine. */
  readonly unexaminedOperations: ServiceContext["unexaminedOperations"] | null;
  /** The engine's; null without an engine, which alone looks for them. */
  readonly keptClones: ServiceContext["keptClones"] | null;
  /** The engine's; null without an engine. */
  readonly owner: ServiceContext["owner"] | null;
  /** For reading; null if it cannot be read. Then its contents are not examined. */
  readonly db: Database | null;
}

/** A repository that Tazuna knows, or (without an id) the one in which doctor was called. */
export interface Examined extends Pick<Repository, "name" | "path" | "commonDir" | "bare"> {
  readonly id: string | null;
  readonly here: boolean;
}
