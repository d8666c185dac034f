/** Gathers the facts of the four ledgers; read-only. */

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type AttemptRecord,
  type DiskFact,
  type Ledgers,
  PLACES,
  type Place,
  type ProcessFact,
  type PutAside,
  type RepositoryRecord,
  type UnfinishedOperation,
} from "../../domain/ledgers/ledgers.ts";
import type { Operation } from "../../domain/operation.ts";
import { RUN_MARKER } from "../../keeper/files.ts";
import { operationsOfKinds } from "../../storage/queries/find-operations.ts";
import { attemptRows, runRows, snapshotRows } from "../../storage/queries/ledger-rows.ts";
import { snapshotsOfOthers } from "../../storage/queries/rows-of-worker.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { intendedOperations } from "../../storage/tables/operations.ts";
import { listRepositories, repositoriesFromUrl } from "../../storage/tables/repositories.ts";
import { leftOfWorker } from "../../storage/team/left-worktrees.ts";
import { lstatOrNull } from "../../utils/files/is-there.ts";
import { identify, listMarked } from "../../utils/programs/process-identity.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Uses } from "../core/context-parts.ts";
import { heldByOthers, ownWorker } from "../core/held-elsewhere.ts";
import { pointerIn } from "../worktrees/own-pointer.ts";
import { readGit } from "./read-git.ts";

/** `unexaminedOperations` and `owner` are null if no engine is asked: then no act is in progress. */
export type Places = Uses<"db" | "git" | "paths"> & {
  readonly unexaminedOperations: ServiceContext["unexaminedOperations"] | null;
  readonly owner: ServiceContext["owner"] | null;
};

/**
 * Reads the database after the rest: if Tazuna makes something in between, its record was written before it was made.
 */
export async function gatherLedgers(context: Places): Promise<Ledgers> {
  const { paths } = context;
  const repositories = await listRepositories(context.db.reader, ownWorker(context));
  const [disk, git, processes] = await Promise.all([
    readDisk(paths.root),
    readGit(context, repositories),
    readProcesses(),
  ]);
  const database = await readDatabase(context);
  const appeared = await made(database, disk);
  const living = await stillAlive(processes);
  const enginePid = context.unexaminedOperations === null ? null : process.pid;
  return { root: paths.root, enginePid, database, git, disk: [...disk, ...appeared], processes: living };
}

/** A process may have ended with its run since it was seen. */
async function stillAlive(processes: readonly ProcessFact[]): Promise<readonly ProcessFact[]> {
  const identities = await Promise.all(processes.map(({ pid }) => identify(pid)));
  return processes.filter(({ startTime }, index) => identities[index]?.startTime === startTime);
}

async function readDatabase(context: Places): Promise<Ledgers["database"]> {
  const { db, unexaminedOperations } = context;
  const { reader } = db;
  const worker = ownWorker(context);
  const intended = await intendedOperations(reader, worker);
  const acts = await operationsOfKinds(reader, Object.keys(AS), null, worker);
  const others = await heldByOthers(context, null);
  const alsoTheirs = worker === null ? new Set() : await snapshotsOfOthers(reader, worker);
  const left = worker === null ? new Map() : await leftHere(reader, worker);
  const isHere = (attempt: string) => !others.has(attempt) && !alsoTheirs.has(attempt);
  return {
    snapshots: (await snapshotRows(reader)).filter(({ attemptId }) => isHere(attemptId)),
    runs: await runRows(reader),
    attempts: (await attemptRows(reader)).map((row) => ({
      ...row,
      elsewhere: others.has(row.id),
      ...left.get(row.id),
    })),
    repositories: await repositoryRecords(reader, worker),
    making: intended.flatMap((act) => placesOfClone(act, unexaminedOperations)),
    putAside: acts.flatMap(putAsideOf),
    unfinishedOperations: intended
      .filter(({ id }) => unexaminedOperations?.has(id) ?? true)
      .map(unfinishedOperationOf),
  };
}

/** By attempt. */
async function leftHere(
  reader: Reader,
  worker: string,
): Promise<ReadonlyMap<string, Pick<AttemptRecord, "left">>> {
  const all = await leftOfWorker(reader, worker);
  return new Map(
    all.map(({ attemptId, workerId, name, files, notContained, state }) => [
      attemptId,
      { left: { files, notContained, state, worker: name ?? workerId } },
    ]),
  );
}

async function repositoryRecords(
  reader: Reader,
  worker: string | null,
): Promise<readonly RepositoryRecord[]> {
  const listed = await listRepositories(reader, worker);
  const ids = new Set(listed.map(({ id }) => id));
  const others = (await repositoriesFromUrl(reader, worker)).filter(({ id }) => !ids.has(id));
  return [
    ...listed.map((one) => ({ ...one, removed: false })),
    ...others.map((one) => ({ ...one, removed: true })),
  ];
}

/** If no engine is asked, none makes a clone. */
function placesOfClone(
  { id, kind, before }: Operation,
  unexamined: Places["unexaminedOperations"],
): readonly string[] {
  if (kind !== "clone" || unexamined === null || unexamined.has(id)) return [];
  return [before?.aside, before?.path].filter((path) => typeof path === "string");
}

/** A worktree that was made after the disk was read is not lost. */
async function made(
  { attempts }: Ledgers["database"],
  disk: readonly DiskFact[],
): Promise<readonly DiskFact[]> {
  const seen = new Set(disk.map(({ path }) => path));
  const unseen = attempts.filter(
    ({ state, worktree, elsewhere }) => state !== "removed" && !elsewhere && !seen.has(worktree),
  );
  const facts: DiskFact[] = [];
  for (const { worktree: path } of unseen) {
    const kind = await kindOf(path);
    if (kind === null) continue;
    const name = path.slice(path.lastIndexOf("/") + 1);
    facts.push({ place: "worktrees", name, path, kind, pointer: null });
  }
  return facts;
}

/**
 * Null if nothing lies there. If it cannot be looked at, it counts as the folder that it was, and nothing is called
 * lost.
 */
async function kindOf(path: string): Promise<DiskFact["kind"] | null> {
  try {
    const found = await lstatOrNull(path);
    if (found === null) return null;
    return found.isDirectory() ? "folder" : found.isSymbolicLink() ? "link" : "file";
  } catch {
    return "folder";
  }
}

function unfinishedOperationOf({ id, kind, subject, at, before, after }: Operation): UnfinishedOperation {
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

const AS = { trash: "entry", trash_purge: "purge", half_made: "half_made", clone_away: "clone" } as const;

function putAsideOf({ id, kind, subject, before, after, status, at }: Operation): readonly PutAside[] {
  const as = AS[kind as keyof typeof AS];
  const act = { operation: id, attemptId: subject.id, status, at };
  if (as === "entry" && after?.path === undefined && typeof before?.trash === "string")
    return [{ ...act, as: "copy", path: `${before.trash}.part` }];
  // What was moved aside is at the place that the intention names, whether or not its arrival was recorded.
  const path = as === "entry" ? after?.path : before?.aside;
  return typeof path === "string" ? [{ ...act, as, path }] : [];
}

/**
 * The contents of the data folder, one level deep; follows no link and measures nothing. A folder that cannot be listed
 * gives no facts. Names that are not valid text are left out.
 */
async function readDisk(root: string): Promise<readonly DiskFact[]> {
  const places = PLACES.map(async (place) => {
    const folder = place === "root" ? root : join(root, place);
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
    return entries
      .filter(({ name }) => place !== "root" || !isPlace(name))
      .map((entry) => factOf(entry, { place, folder }));
  });
  return (await Promise.all(places)).flat();
}

function isPlace(name: string): boolean {
  return PLACES.some((place) => place === name && place !== "root");
}

function factOf(
  entry: Dirent,
  { place, folder }: { readonly place: Place; readonly folder: string },
): DiskFact {
  const path = join(folder, entry.name);
  const kind = entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "file";
  const pointer = place === "worktrees" && kind === "folder" ? pointerIn(path) : null;
  return { place, name: entry.name, path, kind, pointer };
}

/** Reads which running processes carry our mark: two readings of the process table, however many runs there are. */
async function readProcesses(): Promise<readonly ProcessFact[]> {
  const marked = await listMarked(RUN_MARKER);
  if (marked.length === 0) return [];
  const workspaces = new Map((await listMarked("TAZUNA_WORKSPACE")).map(({ pid, value }) => [pid, value]));
  return marked.map(({ pid, startTime, value }) => ({
    pid,
    startTime,
    run: value,
    workspace: workspaces.get(pid) ?? null,
  }));
}
