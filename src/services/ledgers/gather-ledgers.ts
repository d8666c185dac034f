/** Gathers the facts of the four ledgers; it looks and changes nothing. */
import { lstat } from "node:fs/promises";
import type { DiskFact, Ledgers, ProcessFact, PutAside, UnendedAct } from "../../domain/ledgers/ledgers.ts";
import type { Operation } from "../../domain/operation.ts";
import { operationsOfKinds } from "../../storage/find-operations.ts";
import { attemptRows, runRows, snapshotRows } from "../../storage/ledger-rows.ts";
import { intendedOperations } from "../../storage/operations.ts";
import { listRepositories } from "../../storage/repositories.ts";
import { identify } from "../../utils/process-identity.ts";
import type { ServiceContext } from "../context.ts";
import { readDisk } from "./read-disk.ts";
import { readGit } from "./read-git.ts";
import { readProcesses } from "./read-processes.ts";

/** `unended` is null where no engine is asked: then no act is under way. */
export type Places = Pick<ServiceContext, "db" | "git" | "paths"> & {
  readonly unended: ServiceContext["unended"] | null;
};

/** The world first, the database last: whatever Tazuna makes in between was written down before it was made. */
export async function gatherLedgers(context: Places): Promise<Ledgers> {
  const { paths } = context;
  const repositories = await listRepositories(context.db.reader);
  const [disk, git, processes] = await Promise.all([
    readDisk(paths.root),
    readGit(context, repositories),
    readProcesses(),
  ]);
  const database = await readDatabase(context);
  const appeared = await made(database, disk);
  const living = await stillAlive(processes);
  const enginePid = context.unended === null ? null : process.pid;
  return { root: paths.root, enginePid, database, git, disk: [...disk, ...appeared], processes: living };
}

/** A process may have ended with its run since it was seen. */
async function stillAlive(processes: readonly ProcessFact[]): Promise<readonly ProcessFact[]> {
  const now = await Promise.all(processes.map(({ pid }) => identify(pid)));
  return processes.filter(({ startTime }, index) => now[index]?.startTime === startTime);
}

async function readDatabase({ db: { reader }, unended }: Places): Promise<Ledgers["database"]> {
  const intended = await intendedOperations(reader);
  const acts = await operationsOfKinds(reader, ["trash", "trash_purge", "half_made"]);
  return {
    snapshots: await snapshotRows(reader),
    runs: await runRows(reader),
    attempts: await attemptRows(reader),
    repositories: await listRepositories(reader),
    putAside: acts.flatMap(putAsideOf),
    unended: intended.filter(({ id }) => unended?.has(id) ?? true).map(unendedOf),
  };
}

/** A worktree that was made after the disk was read is not lost. */
async function made(
  { attempts }: Ledgers["database"],
  disk: readonly DiskFact[],
): Promise<readonly DiskFact[]> {
  const seen = new Set(disk.map(({ path }) => path));
  const unseen = attempts.filter(({ state, worktree }) => state !== "removed" && !seen.has(worktree));
  const facts: DiskFact[] = [];
  for (const { worktree: path } of unseen) {
    const found = await lstat(path).catch(() => null);
    if (found === null) continue;
    const kind = found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : "file";
    const name = path.slice(path.lastIndexOf("/") + 1);
    facts.push({ place: "worktrees", name, path, kind, pointer: null });
  }
  return facts;
}

function unendedOf({ id, kind, subject, at, before, after }: Operation): UnendedAct {
  const paths = [before?.aside, before?.trash, before?.path];
  return {
    operation: id,
    kind,
    subject,
    at,
    paths: paths.filter((path) => typeof path === "string"),
    trouble: typeof after?.message === "string" ? after.message : null,
  };
}

const AS = { trash: "entry", trash_purge: "purge", half_made: "half_made" } as const;

function putAsideOf({ id, kind, subject, before, after, status, at }: Operation): readonly PutAside[] {
  const as = AS[kind as keyof typeof AS];
  // What went aside is where the intention says, whatever became of the word that it arrived.
  const path = as === "entry" ? after?.path : before?.aside;
  if (typeof path !== "string") return [];
  return [{ operation: id, attemptId: subject.id, as, path, status, at }];
}
