/** Makes a Postgres role for one worker: it may change rows, but no tables, and it may invite nobody (ADR 0089). */
import { createHash } from "node:crypto";
import type { Reader, WriteTransaction } from "../schema/schema.ts";
import { StorageFailure, storageError } from "../schema/storage-error.ts";
import { executeSql, schemaOf } from "./execute-sql.ts";

/** What a worker may do with the rows of each table. A table that is missing here is closed to it. */
const RIGHTS: Readonly<Record<string, string>> = {
  repositories: "all",
  tasks: "all",
  attempts: "all",
  runs: "all",
  facts: "all",
  operations: "all",
  snapshots: "all",
  checks: "all",
  pull_requests: "all",
  trusted_scripts: "all",
  drafts: "all",
  decisions: "all",
  comments: "all",
  base_checks: "all",
  viewed_files: "all",
  seen_runs: "all",
  questions: "all",
  answer_rules: "all",
  idempotency_keys: "all",
  login_holds: "all",
  notices: "all",
  workers: "all",
  requests: "all",
  log_series: "all",
  log_chunks: "all",
  // A server that reads a row of it signs in at that place.
  log_packs: "select",
  protections: "all",
  left_worktrees: "all",
  // Whoever writes it could send the copies of all workers, and their keys, to another place.
  depot: "select",
  // What was done there is noted too. Nobody there takes back what was noted.
  team_acts: "select, insert",
  // It recognizes tokens and notes their use, but makes none.
  access_tokens: "select, update (used_at)",
  // It recognizes whose a token is, and knows no more of people.
  people: "select (id, email, role)",
  schema_migrations: "select",
  // Whoever writes these could sign in at the server, or invite others.
  sign_in_codes: "",
  sign_in_flows: "",
  browsers: "",
  invites: "",
};

const ROWS = "select, insert, update, delete";

interface RolePlan {
  /** The id of the worker, in hexadecimal with dashes. */
  readonly worker: string;
  /** What the server stores of its password. */
  readonly verifier: string;
  /** The schema of the jobs; its tables are open to all workers. */
  readonly jobs: string;
}

/** The name of the role. Null if our own login may make none: then nothing was changed. */
export async function makeWorkerRole(trx: WriteTransaction, plan: RolePlan): Promise<string | null> {
  const run = executeSql(trx);
  const { rows } = await run(
    "select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user",
    [],
  );
  if (rows[0]?.may !== true) return null;
  return unlessForbidden(trx, async () => {
    const group = await groupOf(trx);
    if (!(await exists(trx, group))) await run(`create role ${group} nologin`, []);
    await grantTables(trx, group);
    await grantJobs(trx, { group, jobs: plan.jobs });
    const role = roleOf(plan.worker);
    const verb = (await exists(trx, role)) ? "alter" : "create";
    await run(`${verb} role ${role} login inherit password '${plan.verifier}'`, []);
    await run(`grant ${group} to ${role}`, []);
    const [schema, database] = [await schemaOf(trx), await databaseOf(trx)];
    await run(`alter role ${role} in database ${quoted(database)} set search_path = ${quoted(schema)}`, []);
    return role;
  });
}

/** Of a worker that was removed. Nothing happens if it has none, or if our own login may not do it. */
export async function closeWorkerRole(trx: WriteTransaction, worker: string): Promise<void> {
  const role = roleOf(worker);
  if (await exists(trx, role))
    await unlessForbidden(trx, () => executeSql(trx)(`alter role ${role} nologin password null`, []));
}

function roleOf(worker: string): string {
  return `tazuna_worker_${worker.replaceAll("-", "")}`;
}

/** After a change of the tables. Nothing happens if no worker has a role, or if our login may not say who may do what. */
export async function renewWorkerRights(trx: Reader): Promise<void> {
  const group = await groupOf(trx);
  if (await exists(trx, group)) await unlessForbidden(trx, () => grantTables(trx, group));
}

/** Null if the server forbids it; what it had done by then is taken back. */
async function unlessForbidden<T>(trx: Reader, act: () => Promise<T>): Promise<T | null> {
  const run = executeSql(trx);
  await run("savepoint worker_role", []);
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StorageFailure && error.storage.code === "database_read_only")) throw error;
    await run("rollback to savepoint worker_role", []);
    return null;
  }
}

async function grantTables(trx: Reader, group: string): Promise<void> {
  const run = executeSql(trx);
  const schema = await schemaOf(trx);
  await run(`grant usage on schema ${quoted(schema)} to ${group}`, []);
  const there = await run("select tablename as name from pg_tables where schemaname = $1", [schema]);
  for (const { name } of there.rows) {
    const rights = RIGHTS[String(name)] ?? "";
    if (rights === "") continue;
    const table = `${quoted(schema)}.${quoted(String(name))}`;
    await run(`grant ${rights === "all" ? ROWS : rights} on ${table} to ${group}`, []);
  }
  await mustHold(trx, { group, schema, table: "runs" });
}

/** The package that keeps the jobs makes its tables when an engine first joins the others. Later ones are open too. */
async function grantJobs(
  trx: Reader,
  { group, jobs }: { readonly group: string; readonly jobs: string },
): Promise<void> {
  const run = executeSql(trx);
  const { rows } = await run("select 1 from pg_namespace where nspname = $1", [jobs]);
  if (rows.length === 0) return;
  const schema = quoted(jobs);
  await run(`grant usage on schema ${schema} to ${group}`, []);
  await run(`grant ${ROWS} on all tables in schema ${schema} to ${group}`, []);
  await run(`grant usage on all sequences in schema ${schema} to ${group}`, []);
  await run(`alter default privileges in schema ${schema} grant ${ROWS} on tables to ${group}`, []);
  await mustHold(trx, { group, schema: jobs, table: "job" });
}

/** The server only warns if whoever grants may not grant that right. */
async function mustHold(
  trx: Reader,
  { group, schema, table }: { readonly group: string; readonly schema: string; readonly table: string },
): Promise<void> {
  const { rows } = await executeSql(trx)(
    "select has_schema_privilege($1, $2, 'usage') and has_table_privilege($1, $3, 'insert') as holds",
    [group, schema, `${quoted(schema)}.${quoted(table)}`],
  );
  if (rows[0]?.holds !== true)
    throw new StorageFailure(storageError("database_read_only", "Our login may not grant what it may do."));
}

/** Roles belong to the whole server: the name says whose workers they are. */
async function groupOf(trx: Reader): Promise<string> {
  const place = `${await databaseOf(trx)} ${await schemaOf(trx)}`;
  return `tazuna_workers_${createHash("sha256").update(place).digest("hex").slice(0, 16)}`;
}

async function databaseOf(trx: Reader): Promise<string> {
  const { rows } = await executeSql(trx)("select current_database() as name", []);
  return String(rows[0]?.name);
}

async function exists(trx: Reader, role: string): Promise<boolean> {
  return (await executeSql(trx)("select 1 from pg_roles where rolname = $1", [role])).rows.length > 0;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
