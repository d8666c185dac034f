/** Reads what an engine has stored in its data folder, without asking the engine. */
import { type StoredRow, storedAnswers } from "../../helpers/stored-rows.ts";

export interface StoredRun {
  readonly id: string;
  readonly attempt: string;
  readonly kind: string;
  readonly status: string;
  readonly phase: string | null;
  readonly outcome: string | null;
  readonly failure: string | null;
  readonly failureMessage: string | null;
  readonly commit: string | null;
  readonly notes: readonly string[];
  readonly startSha: string | null;
  /** Whether its agent is known to have been started. */
  readonly agentStarted: boolean;
  /** It waits for a person, since the run before it failed or was stopped. */
  readonly held: boolean;
}

export interface StoredAttempt {
  readonly id: string;
  readonly branch: string;
  readonly worktree: string;
  readonly gitDir: string | null;
  readonly baseSha: string | null;
  readonly state: string;
  /** Why its clean-up could not go on, with when it is tried again; null if it never was so. */
  readonly cleanUp: string | null;
}

export interface StoredFact {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly run: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredOperation {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly status: string;
  /** What was there, or what was intended, as the kind of operation writes it down. */
  readonly before: Readonly<Record<string, unknown>>;
  /** It can be undone, and was not. */
  readonly undoable: boolean;
}

export interface StoredSnapshot {
  readonly attempt: string;
  readonly ref: string;
  readonly commit: string;
  readonly reason: string;
}

export interface DataFolder {
  readonly runs: readonly StoredRun[];
  readonly attempts: readonly StoredAttempt[];
  /** In the order in which they were written. */
  readonly facts: readonly StoredFact[];
  /** In the order in which they were begun. */
  readonly operations: readonly StoredOperation[];
  readonly snapshots: readonly StoredSnapshot[];
}

/** Everything that crash tests look at, in one reading. */
export function readDataFolder(home: string): DataFolder {
  const [runs = [], attempts = [], facts = [], operations = [], snapshots = []] = storedAnswers(
    home,
    [RUNS, ATTEMPTS, FACTS, OPERATIONS, SNAPSHOTS].map((sql) => ({ sql })),
  );
  return {
    runs: runs.map(toRun),
    attempts: attempts.map(toAttempt),
    facts: facts.map(toFact),
    operations: operations.map(toOperation),
    snapshots: snapshots.map(toSnapshot),
  };
}

/** In the order in which they were asked for; what was asked for at once was made in one millisecond. */
const ATTEMPTS = `select attempts.* from attempts join tasks on tasks.id = attempts.task_id
  order by tasks.created_at, tasks.id, attempts.number`;
const RUNS = `select runs.* from runs join attempts on attempts.id = runs.attempt_id join tasks on tasks.id = attempts.task_id
  order by tasks.created_at, tasks.id, attempts.number, runs.number`;

const FACTS = "select * from facts order by seq";
const OPERATIONS = "select * from operations order by at, rowid";
const SNAPSHOTS = "select * from snapshots order by attempt_id, number";

const text = (value: unknown): string => String(value);
const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));

function toRun(row: StoredRow): StoredRun {
  const failure =
    row.failure === null ? null : (JSON.parse(text(row.failure)) as { code: string; message: string });
  const notes = JSON.parse(text(row.notes)) as readonly { code: string }[];
  return {
    id: text(row.id),
    attempt: text(row.attempt_id),
    kind: text(row.kind),
    status: text(row.status),
    phase: textOrNull(row.phase),
    outcome: textOrNull(row.outcome),
    failure: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    commit: textOrNull(row.commit_sha),
    notes: notes.map(({ code }) => code),
    startSha: textOrNull(row.start_sha),
    agentStarted: row.agent_started_at !== null,
    held: Boolean(row.held),
  };
}

function toAttempt(row: StoredRow): StoredAttempt {
  return {
    id: text(row.id),
    branch: text(row.branch),
    worktree: text(row.worktree),
    gitDir: textOrNull(row.git_dir),
    baseSha: textOrNull(row.base_sha),
    state: text(row.state),
    cleanUp: textOrNull(row.clean_up),
  };
}

function toFact(row: StoredRow): StoredFact {
  return {
    seq: Number(row.seq),
    at: text(row.at),
    kind: text(row.kind),
    run: textOrNull(row.run_id),
    data: JSON.parse(text(row.data)) as Record<string, unknown>,
  };
}

function toOperation(row: StoredRow): StoredOperation {
  return {
    id: text(row.id),
    kind: text(row.kind),
    subject: text(row.subject_id),
    status: text(row.status),
    before: JSON.parse(textOrNull(row.before_state) ?? "{}") as Record<string, unknown>,
    undoable: Boolean(row.undoable),
  };
}

function toSnapshot(row: StoredRow): StoredSnapshot {
  return {
    attempt: text(row.attempt_id),
    ref: text(row.ref),
    commit: text(row.commit_sha),
    reason: text(row.reason),
  };
}
