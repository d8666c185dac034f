/** Puts what the database says, and which folders and branches there are, where the explanations find it by its name. */
import type { AttemptRecord, Ledgers, PutAside, RepositoryLedger, RunRecord } from "./ledgers.ts";

export interface Known {
  readonly root: string;
  readonly attempts: ReadonlyMap<string, AttemptRecord>;
  readonly attemptAt: ReadonlyMap<string, AttemptRecord>;
  readonly runs: ReadonlyMap<string, RunRecord>;
  /** Ids of attempts of which a run goes on, or will by itself. */
  readonly busy: ReadonlySet<string>;
  /** By path; where one was used twice, what was put there last. */
  readonly putAside: ReadonlyMap<string, PutAside>;
  /** By the operation that put it aside. */
  readonly putAsideBy: ReadonlyMap<string, PutAside>;
  /** Common git directory of the repository that an attempt is on. */
  readonly commonDirOf: (attempt: AttemptRecord) => string | null;
  /** Whose branch a short name is, also one that holds what an agent committed itself; the living before the removed. */
  readonly branchOwner: (commonDir: string, branch: string) => AttemptRecord | null;
  readonly gitOf: ReadonlyMap<string, RepositoryLedger>;
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
  const branches = new Map(removedFirst.map((each) => [branchKey(commonDirOf(each), each.branch), each]));
  const going = database.runs.filter(({ ended, held }) => !ended && !held);
  return {
    root,
    attempts: new Map(database.attempts.map((attempt) => [attempt.id, attempt])),
    attemptAt: new Map(database.attempts.map((attempt) => [attempt.worktree, attempt])),
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

/** Whether a path lies below a folder. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
