/** Describes the tables as Kysely sees them: one interface per table, columns with their SQL names. */
import type { Generated, Kysely, Transaction } from "kysely";

/** Anything that can be read from: the database's reader, or an open transaction. */
export type Reader = Kysely<Schema>;

declare const writing: unique symbol;

/**
 * A transaction that `transact` opened. Every write needs one. So a change and the fact that announces it are always
 * written together, and facts only in the order of their numbers.
 */
export type WriteTransaction = Transaction<Schema> & { readonly [writing]: true };

export interface Schema {
  repositories: RepositoriesTable;
  tasks: TasksTable;
  attempts: AttemptsTable;
  runs: RunsTable;
  facts: FactsTable;
  operations: OperationsTable;
  snapshots: SnapshotsTable;
  checks: ChecksTable;
  trusted_scripts: TrustedScriptsTable;
  idempotency_keys: IdempotencyKeysTable;
  login_holds: LoginHoldsTable;
  schema_migrations: SchemaMigrationsTable;
}

export interface RepositoriesTable {
  id: string;
  name: string;
  path: string;
  common_dir: string;
  bare: boolean;
  created_at: string;
  /** Null while it is in the list. */
  removed_at: string | null;
}

export interface TasksTable {
  id: string;
  repository_id: string;
  title: string;
  issue: string;
  context: string | null;
  constraints: string | null;
  base: string | null;
  publish: string;
  /** JSON of TaskSettings. */
  settings: string;
  created_at: string;
  /**
   * Whether the task has an open attempt, or one that cannot be cleaned up. It is stored, so that a page of open
   * tasks is read without the attempts.
   */
  open: boolean;
}

export interface AttemptsTable {
  id: string;
  task_id: string;
  number: number;
  agent: string;
  executor: string;
  model: string | null;
  branch: string;
  branch_existed: boolean;
  worktree: string;
  git_dir: string | null;
  base_branch: string | null;
  base_sha: string | null;
  session_id: string | null;
  session_cwd: string | null;
  usage_totals: string | null;
  /** JSON of AttemptPatch. */
  patch: string | null;
  state: string;
  /** JSON of CleanUpTrouble. */
  clean_up: string | null;
  /** JSON of StartedFrom. */
  started_from: string | null;
  created_at: string;
  ended_at: string | null;
}

export interface RunsTable {
  id: string;
  attempt_id: string;
  number: number;
  /** Place in the queue of all runs; smaller is earlier. */
  queue_place: number;
  kind: string;
  instruction: string;
  status: string;
  phase: string | null;
  outcome: string | null;
  failure: string | null;
  stop_request: string | null;
  start_sha: string | null;
  tree: string | null;
  commit_sha: string | null;
  summary: string | null;
  usage: string | null;
  patch: string | null;
  isolation: string | null;
  isolation_reason: string | null;
  notes: string;
  offline: boolean;
  held: boolean;
  /** JSON of RunOptions. */
  options: string;
  resume_at: string | null;
  created_at: string;
  started_at: string | null;
  agent_started_at: string | null;
  ended_at: string | null;
  lease_owner: string | null;
  /** Grows by one each time the lease is taken; never decreases. */
  lease_epoch: number;
  lease_until: string | null;
}

export interface FactsTable {
  seq: Generated<number>;
  at: string;
  kind: string;
  task_id: string | null;
  attempt_id: string | null;
  run_id: string | null;
  data: string;
}

export interface OperationsTable {
  id: string;
  kind: string;
  subject_type: string;
  subject_id: string;
  before_state: string | null;
  after_state: string | null;
  status: string;
  undoable: boolean;
  at: string;
  ended_at: string | null;
}

export interface SnapshotsTable {
  attempt_id: string;
  number: number;
  run_id: string | null;
  ref: string;
  commit_sha: string;
  reason: string;
  not_contained: string;
  created_at: string;
  dropped_at: string | null;
}

export interface ChecksTable {
  run_id: string;
  name: string;
  tree: string;
  command: string;
  required: boolean;
  outcome: string;
  exit_code: number | null;
  duration_ms: number;
  output: string;
  left_behind: string;
  at: string;
}

export interface TrustedScriptsTable {
  repository_id: string;
  hash: string;
  text: string;
  trusted_at: string;
}

export interface IdempotencyKeysTable {
  key: string;
  body_hash: string;
  answer: string | null;
  /** The id of the task or run that was created under the key. It is written in the transaction that created it. */
  created_id: string | null;
  created_at: string;
}

export interface LoginHoldsTable {
  login: string;
  resume_at: string;
  reason: string;
  created_at: string;
}

export interface SchemaMigrationsTable {
  name: string;
  /** The version of the program that applied it. */
  program: string;
}
