/** Indexes the database's records and the existing folders and branches, so that explanations find them by name. */
import type { AttemptRecord, Ledgers, PutAside, RepositoryLedger, RunRecord } from "./ledgers.ts";

export interface Known {
  readonly root: string;
  readonly attempts: ReadonlyMap<string, AttemptRecord>;
  /** By their worktrees, without those of other data folders. */
  readonly attemptAt: ReadonlyMap<string, AttemptRecord>;
  /** Attempts that other data folders hold, by the names of their worktrees, which are the same in each of them. */
  readonly elsewhere: ReadonlyMap<string, AttemptRecord>;
  readonly runs: ReadonlyMap<string, RunRecord>;
  /** Ids of attempts with a run that goes on, or will by itself. */
  readonly busy: ReadonlySet<string>;
  /** By path; if a path was used twice, the newer entry. */
  readonly putAside: ReadonlyMap<string, PutAside>;
  /** By the operation that moved it to the trash. */
  readonly putAsideBy: ReadonlyMap<string, PutAside>;
  /** Common git directory of the attempt's repository. */
  readonly commonDirOf: (attempt: AttemptRecord) => string | null;
  /**
   * The owner of a short branch name, also of one with an agent's own commits. Living attempts come before removed
   * ones.
   */
  readonly branchOwner: (commonDir: string, branch: string) => AttemptRecord | null;
  readonly gitOf: ReadonlyMap<string, RepositoryLedger>;
  /** Names in `workspaces/` that clones are being made under. */
  readonly making: ReadonlySet<string>;
  /** Paths of everything that was seen in the data folder. */
  readonly there: ReadonlySet<string>;
}

const BY_AGENT = /-by-agent-[^/]{8}$/;

export function knownOf({ root, database, git, disk }: Ledgers): Known {
  const commonDirs = new Map(database.repositories.map(({ id, commonDir }) => [id, commonDir]));
  const commonDirOf = ({ repositoryId }: AttemptRecord) => commonDirs.get(repositoryId) ?? null;
  const removedFirst = [...database.attempts].sort(
    (a, b) => orderOf(a) - orderOf(b) || (a.id < b.id ? -1 : 1),
  );
  const foldersOf = (each: AttemptRecord) =>
    [commonDirs.get(each.begunIn ?? each.repositoryId) ?? null, commonDirOf(each)] as const;
  const branches = new Map(
    removedFirst.flatMap((each) =>
      foldersOf(each).map((folder) => [branchKey(folder, each.branch), each] as const),
    ),
  );
  const others = database.attempts.filter(({ elsewhere }) => elsewhere);
  const here = database.attempts.filter(({ elsewhere }) => !elsewhere);
  const going = database.runs.filter(({ ended, held }) => !ended && !held);
  return {
    root,
    attempts: new Map(database.attempts.map((attempt) => [attempt.id, attempt])),
    attemptAt: new Map(here.map((attempt) => [attempt.worktree, attempt])),
    elsewhere: new Map(others.map((attempt) => [nameOf(attempt.worktree), attempt])),
    runs: new Map(database.runs.map((run) => [run.id, run])),
    busy: new Set(going.map(({ attemptId }) => attemptId)),
    putAside: new Map([...database.putAside].sort(byTime).map((act) => [act.path, act])),
    putAsideBy: new Map(database.putAside.map((act) => [act.operation, act])),
    commonDirOf,
    branchOwner: (commonDir, branch) =>
      branches.get(branchKey(commonDir, branch)) ??
      branches.get(branchKey(commonDir, branch.replace(BY_AGENT, ""))) ??
      null,
    gitOf: new Map(git.map((ledger) => [ledger.commonDir, ledger])),
    making: new Set(database.making.map(nameOf)),
    there: new Set(disk.map(({ path }) => path)),
  };
}

function branchKey(commonDir: string | null, branch: string): string {
  return `${commonDir}\0${branch}`;
}

function byTime(a: PutAside, b: PutAside): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return a.operation < b.operation ? -1 : 1;
}

function orderOf({ state }: AttemptRecord): number {
  return state === "removed" ? 0 : 1;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a path is below a folder. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
