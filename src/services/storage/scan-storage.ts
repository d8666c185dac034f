/** Measures in the background what takes room, and examines attempts as a clean-up does. */
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { AttemptFacts } from "../../domain/clean/judge-attempt.ts";
import { cleanUpFinding } from "../../domain/ledgers/find-unfinished.ts";
import type { CleanKept } from "../../domain/trash/tidied.ts";
import { attemptRows } from "../../storage/queries/ledger-rows.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { type SentSize, sentSizes } from "../../storage/team/sent-logs.ts";
import { transact } from "../../storage/transact.ts";
import { folderSize, type SizeBudget } from "../../utils/files/folder-size.ts";
import { attemptsToJudge, unexplained } from "../clean/clean-attempts.ts";
import { examineAttempts } from "../clean/examine-attempts.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { entriesInTrash } from "../trash/trash-entries.ts";
import { logBytes } from "./log-bytes.ts";

type ScanContext = Uses<
  | "db"
  | "owner"
  | "git"
  | "paths"
  | "clock"
  | "configuration"
  | "newFacts"
  | "reportFault"
  | "unexaminedOperations"
  | "engineStop"
>;

interface ScannedAttempt {
  readonly facts: AttemptFacts;
  readonly repository: string | null;
  /** Null if there are too many files to count. */
  readonly bytes: number | null;
}

export interface StorageScan {
  readonly at: string;
  /** By their ids. */
  readonly attempts: ReadonlyMap<string, ScannedAttempt>;
  /** In bytes here and in the database, by the ids of runs; those that hold nothing, and those of other workers, are left out. */
  readonly logs: ReadonlyMap<string, number>;
  /** What lies in the data folder and belongs to no attempt. */
  readonly strangers: readonly CleanKept[];
  /** In bytes; null if there are too many files to count. */
  readonly totals: Readonly<
    Record<"worktrees" | "trash" | "logs" | "database" | "clones" | "sent_logs", number | null>
  >;
}

export interface StorageScanner {
  /** The last whole scan of this engine; null before the first. */
  last(): StorageScan | null;
  /** Begins a scan, unless one goes on. */
  begin(): void;
  scanning(): boolean;
  /** Of a worktree of that repository, on average; null if none was measured. */
  bytesOfOne(repository: string): number | null;
}

/** One scan at a time. It reads file by file and waits for nobody, so that others come in between. */
export function createStorageScanner(context: ScanContext): StorageScanner {
  let last: StorageScan | null = null;
  let going: Promise<void> | null = null;
  const scan = async () => {
    const found = await scanStorage(context);
    if (found === null) return;
    last = found;
    // Whoever reads because of the fact sees that it is over.
    going = null;
    const data = { scanned_at: found.at, totals: found.totals };
    const ids = { taskId: null, attemptId: null, runId: null };
    await transact(context.db, (trx) =>
      appendFact(trx, { at: found.at, kind: "storage.changed", ...ids, data }),
    );
    context.newFacts.notify();
  };
  return {
    last: () => last,
    scanning: () => going !== null,
    bytesOfOne: (repository) => {
      const sizes = [...(last?.attempts.values() ?? [])].flatMap((one) =>
        one.repository === repository && one.bytes !== null && one.facts.place === "there" ? [one.bytes] : [],
      );
      return sizes.length === 0 ? null : Math.round((sumOf(sizes) ?? 0) / sizes.length);
    },
    begin: () => {
      if (going !== null) return;
      const own: Promise<void> = scan()
        .catch((error) => context.reportFault("measuring what takes room", error))
        .finally(() => {
          if (going === own) going = null;
        });
      going = own;
    },
  };
}

/** The most files to look at in one scan: a few minutes on a slow disk. */
const MAX_FILES = 5_000_000;

/** Null if the engine stops meanwhile. */
async function scanStorage(context: ScanContext): Promise<StorageScan | null> {
  const { paths, engineStop } = context;
  const budget = { left: MAX_FILES };
  const known = await attemptsToJudge(context, null);
  const all = known.unwrapOr([]);
  const rows = await attemptRows(context.db.reader);
  const repositories = new Map(rows.map(({ id, repositoryId }) => [id, repositoryId]));
  const attempts = new Map<string, ScannedAttempt>();
  for (const { attempt, facts } of await examineAttempts(context, all, false)) {
    if (engineStop.aborted) return null;
    const size = facts.place === "there" ? await folderSize(attempt.worktree, budget) : { bytes: 0 };
    const repository = repositories.get(attempt.id) ?? null;
    attempts.set(attempt.id, { facts, repository, bytes: size?.bytes ?? null });
  }
  const strangers = await unexplained(context, new Set(all.map(({ id }) => cleanUpFinding(id))));
  const trashed: (number | null)[] = [];
  for (const { path } of await entriesInTrash(context)) trashed.push(await bytesOf(path, budget));
  if (engineStop.aborted) return null;
  const sent = ownWorker(context) === null ? new Map() : await sentSizes(context.db.reader, null);
  return {
    at: context.clock.iso(),
    attempts,
    logs: withSent(await logsIn(join(paths.root, "runs")), sent),
    strangers,
    totals: {
      worktrees: sumOf([...attempts.values()].map(({ bytes }) => bytes)),
      trash: sumOf(trashed),
      logs: await bytesOf(join(paths.root, "runs"), budget),
      database: await databaseBytes(paths.database),
      clones: await bytesOf(paths.workspaces, budget),
      sent_logs: sumOf([...sent.values()].map(({ bytes }) => bytes)),
    },
  };
}

async function logsIn(folder: string): Promise<ReadonlyMap<string, number>> {
  const logs = new Map<string, number>();
  for (const run of await readdir(folder).catch(() => [] as string[])) {
    const bytes = await logBytes(join(folder, run));
    if (bytes > 0) logs.set(run, bytes);
  }
  return logs;
}

/** Also what removed workers sent: it lies nowhere else. */
function withSent(
  logs: ReadonlyMap<string, number>,
  sent: ReadonlyMap<string, SentSize>,
): ReadonlyMap<string, number> {
  const all = new Map(logs);
  for (const [run, { bytes, isLeft }] of sent)
    if (isLeft || logs.has(run)) all.set(run, (logs.get(run) ?? 0) + bytes);
  return all;
}

async function bytesOf(path: string, budget: SizeBudget): Promise<number | null> {
  return (await folderSize(path, budget))?.bytes ?? null;
}

/** Of the file, and of those that SQLite keeps beside it; 0 if the database is elsewhere. */
async function databaseBytes(file: string): Promise<number> {
  const names = await readdir(dirname(file)).catch(() => [] as string[]);
  const own = names.filter((name) => name.startsWith(basename(file)));
  const sizes = await Promise.all(own.map((name) => stat(join(dirname(file), name)).catch(() => null)));
  return sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
}

function sumOf(all: readonly (number | null)[]): number | null {
  return all.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}
