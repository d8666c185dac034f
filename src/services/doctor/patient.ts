/** Names what an examination looks at: the hands of an engine, or of a command that works without one. */
import type { DatabaseState } from "../../domain/doctor/database.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Database } from "../../storage/database.ts";
import type { ServiceContext } from "../context.ts";

export interface Patient
  extends Pick<
    ServiceContext,
    "git" | "probe" | "sandbox" | "paths" | "executors" | "configuration" | "userEnv"
  > {
  readonly database: DatabaseState;
  /** Of an engine; null without one. */
  readonly unended: ServiceContext["unended"] | null;
  /** For reading; null where it cannot be read, so that what it knows is not examined. */
  readonly db: Database | null;
}

/** A repository that Tazuna knows, or (without an id) the one in which doctor was called. */
export interface Examined extends Pick<Repository, "name" | "path" | "commonDir" | "bare"> {
  readonly id: string | null;
  readonly here: boolean;
}
