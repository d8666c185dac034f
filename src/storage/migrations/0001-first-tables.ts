/** Creates the first tables: repositories, tasks, attempts, runs, facts and related tables. */
import { type Kysely, sql } from "kysely";
import type { DatabaseKind, Migration } from "../schema/migrator.ts";

/** Text in ASCII that is compared, sorted or looked up: byte by byte in both databases. */
type Ascii = ReturnType<typeof sql>;

export const firstTables: Migration = {
  async up(db, kind) {
    const ascii: Ascii = kind === "postgres" ? sql`text collate "C"` : sql`text`;
    await createWorkTables(db, ascii);
    await createRuns(db, ascii);
    await createFacts(db, kind);
    await createJournals(db, ascii);
    await createSmallTables(db, ascii);
  },
};

async function createWorkTables(db: Kysely<unknown>, ascii: Ascii) {
  await db.schema
    .createTable("repositories")
    .addColumn("id", ascii, (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("path", "text", (column) => column.notNull().unique())
    .addColumn("common_dir", "text", (column) => column.notNull())
    .addColumn("bare", "integer", (column) => column.notNull())
    .addColumn("created_at", ascii, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("tasks")
    .addColumn("id", ascii, (column) => column.primaryKey())
    .addColumn("repository_id", ascii, (column) => column.notNull().references("repositories.id"))
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("issue", "text", (column) => column.notNull())
    .addColumn("context", "text")
    .addColumn("constraints", "text")
    .addColumn("base", "text")
    .addColumn("publish", "text", (column) => column.notNull())
    .addColumn("created_at", ascii, (column) => column.notNull())
    .addColumn("open", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("tasks_newest").on("tasks").columns(["created_at", "id"]).execute();
  await db.schema.createIndex("tasks_repository").on("tasks").column("repository_id").execute();
  await db.schema.createIndex("tasks_open").on("tasks").columns(["open", "created_at", "id"]).execute();
  await db.schema
    .createTable("attempts")
    .addColumn("id", ascii, (column) => column.primaryKey())
    .addColumn("task_id", ascii, (column) => column.notNull().references("tasks.id"))
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("agent", "text", (column) => column.notNull())
    .addColumn("executor", "text", (column) => column.notNull())
    .addColumn("model", "text")
    .addColumn("branch", "text", (column) => column.notNull())
    .addColumn("branch_existed", "integer", (column) => column.notNull())
    .addColumn("worktree", "text", (column) => column.notNull().unique())
    .addColumn("git_dir", "text")
    .addColumn("base_branch", "text")
    .addColumn("base_sha", "text")
    .addColumn("session_id", "text")
    .addColumn("session_cwd", "text")
    .addColumn("usage_totals", "text")
    .addColumn("state", ascii, (column) => column.notNull())
    .addColumn("created_at", ascii, (column) => column.notNull())
    .addColumn("ended_at", ascii)
    .addUniqueConstraint("attempts_number", ["task_id", "number"])
    .execute();
  await db.schema.createIndex("attempts_state").on("attempts").columns(["state", "task_id"]).execute();
}

async function createRuns(db: Kysely<unknown>, ascii: Ascii) {
  await db.schema
    .createTable("runs")
    .addColumn("id", ascii, (column) => column.primaryKey())
    .addColumn("attempt_id", ascii, (column) => column.notNull().references("attempts.id"))
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("queue_place", "integer", (column) => column.notNull().unique())
    .addColumn("kind", ascii, (column) => column.notNull())
    .addColumn("instruction", "text", (column) => column.notNull())
    .addColumn("status", ascii, (column) => column.notNull())
    .addColumn("phase", ascii)
    .addColumn("outcome", ascii)
    .addColumn("failure", "text")
    .addColumn("stop_request", ascii)
    .addColumn("start_sha", "text")
    .addColumn("tree", "text")
    .addColumn("commit_sha", "text")
    .addColumn("summary", "text")
    .addColumn("usage", "text")
    .addColumn("patch", "text")
    .addColumn("isolation", ascii)
    .addColumn("notes", "text", (column) => column.notNull())
    .addColumn("offline", "integer", (column) => column.notNull())
    .addColumn("held", "integer", (column) => column.notNull())
    .addColumn("options", "text", (column) => column.notNull())
    .addColumn("resume_at", ascii)
    .addColumn("created_at", ascii, (column) => column.notNull())
    .addColumn("started_at", ascii)
    .addColumn("agent_started_at", ascii)
    .addColumn("ended_at", ascii)
    .addColumn("lease_owner", "text")
    .addColumn("lease_epoch", "integer", (column) => column.notNull())
    .addColumn("lease_until", ascii)
    .addUniqueConstraint("runs_number", ["attempt_id", "number"])
    .execute();
  await db.schema.createIndex("runs_state").on("runs").columns(["status", "phase", "queue_place"]).execute();
}

async function createFacts(db: Kysely<unknown>, kind: DatabaseKind) {
  const table = db.schema.createTable("facts");
  const numbered =
    kind === "postgres"
      ? table.addColumn("seq", "bigint", (column) => column.generatedAlwaysAsIdentity().primaryKey())
      : table.addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement());
  await numbered
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("task_id", "text")
    .addColumn("attempt_id", "text")
    .addColumn("run_id", "text")
    .addColumn("data", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("facts_run").on("facts").columns(["run_id", "kind", "seq"]).execute();
}

async function createJournals(db: Kysely<unknown>, ascii: Ascii) {
  await db.schema
    .createTable("operations")
    .addColumn("id", ascii, (column) => column.primaryKey())
    .addColumn("kind", ascii, (column) => column.notNull())
    .addColumn("subject_type", ascii, (column) => column.notNull())
    .addColumn("subject_id", ascii, (column) => column.notNull())
    .addColumn("before_state", "text")
    .addColumn("after_state", "text")
    .addColumn("status", ascii, (column) => column.notNull())
    .addColumn("undoable", "integer", (column) => column.notNull())
    .addColumn("at", ascii, (column) => column.notNull())
    .addColumn("ended_at", ascii)
    .execute();
  await db.schema.createIndex("operations_newest").on("operations").columns(["at", "id"]).execute();
  await db.schema
    .createIndex("operations_subject")
    .on("operations")
    .columns(["subject_id", "at", "id"])
    .execute();
  await db.schema.createIndex("operations_status").on("operations").columns(["status", "at", "id"]).execute();
  await db.schema
    .createTable("snapshots")
    .addColumn("attempt_id", ascii, (column) => column.notNull().references("attempts.id"))
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("run_id", ascii, (column) => column.references("runs.id"))
    .addColumn("ref", "text", (column) => column.notNull())
    .addColumn("commit_sha", "text", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("not_contained", "text", (column) => column.notNull())
    .addColumn("created_at", ascii, (column) => column.notNull())
    .addColumn("dropped_at", ascii)
    .addPrimaryKeyConstraint("snapshots_key", ["attempt_id", "number"])
    .execute();
  await db.schema
    .createTable("checks")
    .addColumn("run_id", ascii, (column) => column.notNull().references("runs.id"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("tree", "text", (column) => column.notNull())
    .addColumn("command", "text", (column) => column.notNull())
    .addColumn("required", "integer", (column) => column.notNull())
    .addColumn("outcome", ascii, (column) => column.notNull())
    .addColumn("exit_code", "integer")
    .addColumn("duration_ms", "integer", (column) => column.notNull())
    .addColumn("output", "text", (column) => column.notNull())
    .addColumn("left_behind", "text", (column) => column.notNull())
    .addColumn("at", ascii, (column) => column.notNull())
    .addPrimaryKeyConstraint("checks_key", ["run_id", "name"])
    .execute();
}

async function createSmallTables(db: Kysely<unknown>, ascii: Ascii) {
  await db.schema
    .createTable("trusted_scripts")
    .addColumn("repository_id", ascii, (column) => column.notNull().references("repositories.id"))
    .addColumn("hash", ascii, (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("trusted_at", ascii, (column) => column.notNull())
    .addPrimaryKeyConstraint("trusted_scripts_key", ["repository_id", "hash"])
    .execute();
  await db.schema
    .createTable("idempotency_keys")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("body_hash", "text", (column) => column.notNull())
    .addColumn("answer", "text")
    .addColumn("created_at", ascii, (column) => column.notNull())
    .execute();
  await db.schema.createIndex("idempotency_keys_age").on("idempotency_keys").column("created_at").execute();
  await db.schema
    .createTable("login_holds")
    .addColumn("login", "text", (column) => column.primaryKey())
    .addColumn("resume_at", ascii, (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("created_at", ascii, (column) => column.notNull())
    .execute();
}
