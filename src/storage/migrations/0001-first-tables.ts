/** Creates the first tables: repositories, tasks, attempts, runs, facts and related tables. */
import { type RawBuilder, sql } from "kysely";
import type { DatabaseKind, Migration } from "../schema/migrator.ts";

export const firstTables: Migration = {
  async up(db, kind) {
    for (const statement of statements(kind)) await statement.execute(db);
  },
};

function statements(kind: DatabaseKind): readonly RawBuilder<unknown>[] {
  const isPostgres = kind === "postgres";
  // Text in ASCII that is compared, sorted or looked up: byte by byte in both databases.
  const ascii = isPostgres ? sql`text collate "C"` : sql`text`;
  const numbered = isPostgres
    ? sql`bigint generated always as identity primary key`
    : sql`integer primary key autoincrement`;
  return [
    ...workTables(ascii),
    ...runs(ascii),
    ...facts(numbered),
    ...journals(ascii),
    ...smallTables(ascii),
  ];
}

type Words = RawBuilder<unknown>;

const workTables = (ascii: Words) => [
  sql`create table repositories (
    id ${ascii} primary key, name text not null, path text not null unique, common_dir text not null,
    bare integer not null, created_at ${ascii} not null
  )`,
  sql`create table tasks (
    id ${ascii} primary key, repository_id ${ascii} not null references repositories (id),
    title text not null, issue text not null, context text, constraints text, base text, publish text not null,
    created_at ${ascii} not null, open integer not null
  )`,
  sql`create index tasks_newest on tasks (created_at, id)`,
  sql`create index tasks_repository on tasks (repository_id)`,
  sql`create index tasks_open on tasks (open, created_at, id)`,
  sql`create table attempts (
    id ${ascii} primary key, task_id ${ascii} not null references tasks (id), number integer not null,
    agent text not null, executor text not null, model text,
    branch text not null, branch_existed integer not null, worktree text not null unique, git_dir text,
    base_branch text, base_sha text, session_id text, session_cwd text, usage_totals text,
    state ${ascii} not null, created_at ${ascii} not null, ended_at ${ascii},
    constraint attempts_number unique (task_id, number)
  )`,
  sql`create index attempts_state on attempts (state, task_id)`,
];

const runs = (ascii: Words) => [
  sql`create table runs (
    id ${ascii} primary key, attempt_id ${ascii} not null references attempts (id), number integer not null,
    queue_place integer not null unique, kind ${ascii} not null, instruction text not null,
    status ${ascii} not null, phase ${ascii}, outcome ${ascii}, failure text, stop_request ${ascii},
    start_sha text, tree text, commit_sha text, summary text, usage text, patch text, isolation ${ascii},
    notes text not null, offline integer not null, held integer not null, options text not null,
    resume_at ${ascii}, created_at ${ascii} not null, started_at ${ascii}, agent_started_at ${ascii},
    ended_at ${ascii}, lease_owner text, lease_epoch integer not null, lease_until ${ascii},
    constraint runs_number unique (attempt_id, number)
  )`,
  sql`create index runs_state on runs (status, phase, queue_place)`,
];

const facts = (numbered: Words) => [
  sql`create table facts (
    seq ${numbered}, at text not null, kind text not null, task_id text, attempt_id text, run_id text,
    data text not null
  )`,
  sql`create index facts_run on facts (run_id, kind, seq)`,
];

const journals = (ascii: Words) => [
  sql`create table operations (
    id ${ascii} primary key, kind ${ascii} not null, subject_type ${ascii} not null,
    subject_id ${ascii} not null, before_state text, after_state text, status ${ascii} not null,
    undoable integer not null, at ${ascii} not null, ended_at ${ascii}
  )`,
  sql`create index operations_newest on operations (at, id)`,
  sql`create index operations_subject on operations (subject_id, at, id)`,
  sql`create index operations_status on operations (status, at, id)`,
  sql`create table snapshots (
    attempt_id ${ascii} not null references attempts (id), number integer not null,
    run_id ${ascii} references runs (id), ref text not null, commit_sha text not null, reason text not null,
    not_contained text not null, created_at ${ascii} not null, dropped_at ${ascii},
    constraint snapshots_key primary key (attempt_id, number)
  )`,
  sql`create table checks (
    run_id ${ascii} not null references runs (id), name text not null, tree text not null,
    command text not null, required integer not null, outcome ${ascii} not null, exit_code integer,
    duration_ms integer not null, output text not null, left_behind text not null, at ${ascii} not null,
    constraint checks_key primary key (run_id, name)
  )`,
];

const smallTables = (ascii: Words) => [
  sql`create table trusted_scripts (
    repository_id ${ascii} not null references repositories (id), hash ${ascii} not null, text text not null,
    trusted_at ${ascii} not null,
    constraint trusted_scripts_key primary key (repository_id, hash)
  )`,
  sql`create table idempotency_keys (
    key text primary key, body_hash text not null, answer text, created_at ${ascii} not null
  )`,
  sql`create index idempotency_keys_age on idempotency_keys (created_at)`,
  sql`create table login_holds (
    login text primary key, resume_at ${ascii} not null, reason text not null, created_at ${ascii} not null
  )`,
];
