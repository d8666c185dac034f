/** Compares everything that Tazuna left behind with what it says about it: rows, git on both sides, folders, processes. */
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { isEnded, moveRun, RUN_EVENTS, type RunState } from "../../../src/domain/run/state.ts";
import type { Product } from "../../helpers/product.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import {
  type DataFolder,
  readDataFolder,
  type StoredAttempt,
  type StoredFact,
  type StoredRun,
} from "./data-folder.ts";
import { type FoundProcess, processesOf } from "./processes.ts";

export interface Looked {
  /** Branches of the user's own beside `main`. */
  readonly branches?: readonly string[];
  /** The file in which agents note their starts, one run a line; null if they do not. */
  readonly starts: string | null;
  /** How often an agent should have begun; `began` is how often it did. By default once in each run with one. */
  readonly expectedStarts?: (run: StoredRun, began: number) => number;
  /** Whether a kill may have left a worktree half made. Each that the journal put aside may lie in the trash. */
  readonly halfMade?: boolean;
  /** Whether gits were killed. A lock on what a person uses too is told, and for the person to delete. */
  readonly killedGits?: boolean;
}

/** One sentence for each thing that is wrong once every run has ended; none if all is well. */
export async function whatIsWrong(product: Product, looked: Looked): Promise<readonly string[]> {
  const data = await settled(product, looked);
  const { git } = product.sandbox;
  const refs = async (repository: string) =>
    new Map(
      lines(await git(repository, ["for-each-ref", "--format=%(refname) %(objectname)"])).map(
        (line) => line.split(" ") as [string, string],
      ),
    );
  const seen: Seen = {
    data,
    looked,
    product,
    local: await refs(product.repository),
    remote: await refs(product.origin),
  };
  return [
    ...data.runs.flatMap((run) => historyOf(data.facts, run)),
    ...wrongFacts(data),
    ...data.operations
      .filter(({ status }) => status === "intended")
      .map(({ kind }) => `the journal still intends ${kind}`),
    ...(await wrongCommits(seen)),
    ...wrongBranches(seen),
    ...(await wrongWorktrees(seen)),
    ...wrongSnapshots(seen),
    ...(await wrongStarts(seen)),
    ...(await leftFiles(product)).filter((path) => !(looked.killedGits && SHARED_LOCK.test(path))),
    ...(await leftProcesses(product, data)),
  ];
}

interface Seen {
  readonly data: DataFolder;
  readonly looked: Looked;
  readonly product: Product;
  /** Full name → object, of the user's repository and of the bare remote. */
  readonly local: ReadonlyMap<string, string>;
  readonly remote: ReadonlyMap<string, string>;
}

/** The runs that have not ended, and the attempts whose clean-up has not. */
function restless({ runs, attempts }: DataFolder): readonly unknown[] {
  return [
    ...runs.filter((run) => !run.held && !isEnded(run.status as RunState["status"])),
    ...attempts.filter(({ state }) => state === "canceled"),
  ];
}

/** What is stored once no run and no clean-up goes on any more. */
async function settled(product: Product, { killedGits = false }: Looked): Promise<DataFolder> {
  const ended = await waitFor(
    "every run to have ended",
    async () => {
      const data = readDataFolder(product.home);
      if (killedGits) await deleteNamedLocks(data);
      return restless(data).length === 0 ? data : null;
    },
    { withinMs: 120_000 },
  ).catch((error: Error) => {
    throw new Error(
      `${error.message}; not at rest: ${JSON.stringify(restless(readDataFolder(product.home)))}`,
    );
  });
  // A living engine that could not store the end of an act does so a moment after it can.
  const stored = () => {
    const data = readDataFolder(product.home);
    return data.operations.every(({ status }) => status !== "intended") ? data : null;
  };
  return waitFor("every act to have ended", stored, { withinMs: 10_000 }).catch(() => ended);
}

/** Of the repository as a whole; everything else that Tazuna's own git locks is the attempt's. */
const SHARED_LOCK = /[^']*\/(?:packed-refs|config)\.lock/;

/** What a person does who reads why a clean-up cannot go on, and knows that no git is at work. */
async function deleteNamedLocks({ attempts }: DataFolder): Promise<void> {
  for (const { state, cleanUp } of attempts) {
    const named = state === "canceled" ? SHARED_LOCK.exec(cleanUp ?? "")?.[0] : undefined;
    if (named !== undefined) await rm(named, { force: true });
  }
}

/** Every run's facts show a way through the table of legal moves, from the first state to its present one. */
export function historyOf(
  facts: readonly Pick<StoredFact, "kind" | "run" | "data">[],
  run: Pick<StoredRun, "id" | "status">,
): string[] {
  let at: RunState = { status: "PENDING", phase: "queued" };
  const wrong: string[] = [];
  for (const fact of facts.filter((each) => each.kind === "run.state" && each.run === run.id)) {
    const to = fact.data as unknown as RunState;
    const legal = RUN_EVENTS.some((event) => {
      const moved = moveRun(at, event);
      return moved.isOk() && moved.value.status === to.status && moved.value.phase === to.phase;
    });
    if (!legal) wrong.push(`run ${run.id} went from ${said(at)} to ${said(to)}`);
    at = to;
  }
  if (at.status !== run.status) wrong.push(`run ${run.id} is ${run.status}, its last fact says ${said(at)}`);
  return wrong;
}

const said = ({ status, phase }: RunState) => `${status}/${phase ?? ""}`;

function wrongFacts({ facts }: DataFolder): string[] {
  return facts.flatMap(({ seq }, index) =>
    index > 0 && seq <= (facts[index - 1]?.seq ?? 0) ? [`fact ${seq} comes after a later one`] : [],
  );
}

/** One commit of a run if it says that it made one, else none. It is on the remote if the run says so. */
async function wrongCommits({ data, product, local, remote }: Seen): Promise<string[]> {
  const wrong: string[] = [];
  const count = async (repository: string, branch: string, run: string) =>
    lines(
      await product.sandbox.git(repository, [
        "log",
        "--format=%H",
        `--grep=^Tazuna-Run: ${run}$`,
        `refs/heads/${branch}`,
      ]),
    ).length;
  for (const run of data.runs) {
    const attempt = data.attempts.find(({ id }) => id === run.attempt);
    if (attempt === undefined) continue;
    const expected = run.commit !== null && run.kind !== "publish" ? 1 : 0;
    const ref = `refs/heads/${attempt.branch}`;
    if (local.has(ref)) {
      const made = await count(product.repository, attempt.branch, run.id);
      if (made !== expected) wrong.push(`run ${run.id} (${run.status}) has ${made} commits, not ${expected}`);
    }
    if (run.outcome !== "pushed") continue;
    const there = remote.has(ref) ? await count(product.origin, attempt.branch, run.id) : 0;
    if (there !== expected) wrong.push(`the remote has ${there} commits of run ${run.id}, not ${expected}`);
  }
  return wrong;
}

/** A branch for every attempt that stays and no other; the remote has no unknown branch. */
function wrongBranches({ data, looked, local, remote }: Seen): string[] {
  const users = ["main", ...(looked.branches ?? [])].map((name) => `refs/heads/${name}`);
  const kept = data.attempts.filter(hasWorktree).map(({ branch }) => `refs/heads/${branch}`);
  const all = data.attempts.map(({ branch }) => `refs/heads/${branch}`);
  const heads = [...local.keys()].filter((name) => name.startsWith("refs/heads/"));
  return [
    ...difference([...users, ...kept], heads).map((name) => `${name} is missing`),
    ...difference(heads, [...users, ...kept]).map((name) => `${name} is a stray branch`),
    ...difference([...remote.keys()], [...users, ...all]).map((name) => `${name} is stray on the remote`),
  ];
}

/** Each attempt that stays is registered once and lies where it should; what was removed is in the trash, once. */
async function wrongWorktrees({ data, product, looked }: Seen): Promise<string[]> {
  const listed = await product.sandbox.git(product.repository, ["worktree", "list", "--porcelain"]);
  const registered = lines(listed)
    .filter((line) => line.startsWith("worktree "))
    .map((line) => line.slice("worktree ".length));
  const expected = [product.repository, ...data.attempts.filter(hasWorktree).map(({ worktree }) => worktree)];
  const folders = await entries(join(product.home, "worktrees"));
  const allTrash = await entries(join(product.home, "trash"));
  const aside = data.operations.flatMap(({ kind, before }) =>
    looked.halfMade === true && kind === "half_made" ? [basename(String(before.aside))] : [],
  );
  const trash = allTrash.filter((name) => !aside.includes(name));
  const removed = data.attempts.filter(({ state }) => state === "removed");
  return [
    ...difference(registered, expected).map((path) => `${path} is a stray worktree`),
    ...difference(expected, registered).map((path) => `the worktree ${path} is not registered`),
    ...(new Set(registered).size === registered.length ? [] : ["a worktree is registered twice"]),
    ...(/^prunable/m.test(listed) ? ["a registered worktree is gone"] : []),
    ...difference(
      folders,
      expected.slice(1).map((path) => basename(path)),
    ).map((name) => `worktrees/${name} is nobody's`),
    ...difference(
      trash,
      removed.map(({ id }) => id),
    ).map((name) => `trash/${name} is nobody's`),
    ...difference(
      removed.filter(({ gitDir }) => gitDir !== null).map(({ id }) => id),
      trash,
    ).map((name) => `the worktree of ${name} is not in the trash`),
  ];
}

const hasWorktree = ({ state, gitDir }: StoredAttempt) => state === "open" && gitDir !== null;

function wrongSnapshots({ data, local }: Seen): string[] {
  const refs = [...local].flatMap(([name, sha]) =>
    name.startsWith("refs/tazuna/snapshots/") ? [`${name} ${sha}`] : [],
  );
  const stored = data.snapshots.map(({ ref, commit }) => `${ref} ${commit}`);
  return [
    ...difference(refs, stored).map((ref) => `the snapshot ${ref} is not recorded`),
    ...difference(stored, refs).map((ref) => `the recorded snapshot ${ref} is gone`),
  ];
}

async function wrongStarts({ data, looked }: Seen): Promise<string[]> {
  const { expectedStarts = (run: StoredRun) => (run.kind === "agent" ? 1 : 0) } = looked;
  if (looked.starts === null) return [];
  const starts = await countStarts(looked.starts);
  return data.runs.flatMap((run) => {
    const began = starts.get(run.id) ?? 0;
    if (began === expectedStarts(run, began)) return [];
    return [`the agent of run ${run.id} (${run.status} ${run.failure ?? ""}) was started ${began} times`];
  });
}

const MARKS_OF_AN_ACT = /\.lock$|^(MERGE_HEAD|CHERRY_PICK_HEAD|REVERT_HEAD|rebase-merge|rebase-apply)$/;

/** Locks and half done operations of git, and temporary files of ours. */
async function leftFiles(product: Product): Promise<string[]> {
  const inGit = [join(product.repository, ".git"), product.origin];
  const marks = (await Promise.all(inGit.map((folder) => find(folder, MARKS_OF_AN_ACT, /^objects$/)))).flat();
  const ours = await leftForGood(() => find(product.home, /\.tmp$|^\.start-/, /^(worktrees|trash)$/));
  const temporary = join(product.home, "scratch");
  // Package stores of runs are deleted beside all other work.
  await waitFor(
    "the stores to be deleted",
    async () => (await find(temporary, /^stores-/, /./)).length === 0,
  );
  const scratch = await find(temporary, /./, /^$/);
  return [...marks.filter((path) => basename(path) !== "engine.lock"), ...ours, ...scratch].map(
    (path) => `${path} was left behind`,
  );
}

/** A working engine may be writing a file just now; what is still there after a while was left. */
async function leftForGood(look: () => Promise<string[]>): Promise<string[]> {
  let seen = await look();
  const allGone = async () => {
    const now = await look();
    seen = seen.filter((path) => now.includes(path));
    return seen.length === 0;
  };
  await waitFor("files to go", allGone, { withinMs: 2_000 }).catch(() => undefined);
  return seen;
}

async function find(folder: string, name: RegExp, skip: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (name.test(entry.name)) found.push(path);
    else if (entry.isDirectory() && !skip.test(entry.name)) found.push(...(await find(path, name, skip)));
  }
  return found;
}

/** Nothing but the engine lives; what is just about to end is waited for. */
async function leftProcesses(product: Product, data: DataFolder): Promise<string[]> {
  const engine = await product.enginePid();
  const left = (): FoundProcess[] =>
    processesOf(
      product.home,
      data.runs.map(({ id }) => id),
    ).filter(({ pid }) => pid !== engine);
  await waitFor("processes to end", () => left().length === 0, { withinMs: 15_000 }).catch(() => {});
  return left().map(({ pid, command }) => `process ${pid} still lives: ${command}`);
}

/** How often each run is named in a file with one run a line. */
export async function countStarts(file: string): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(file, "utf8").catch(() => "");
  const counts = new Map<string, number>();
  for (const run of lines(text)) counts.set(run, (counts.get(run) ?? 0) + 1);
  return counts;
}

function difference(items: readonly string[], without: readonly string[]): string[] {
  return [...new Set(items)].filter((one) => !without.includes(one));
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

async function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
