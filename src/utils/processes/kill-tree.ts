/** Stops whole process trees: a program and all its descendants, in any session. */
import type {
  ProcessEntry,
  ProcessMarker,
  ProcessSnapshot,
  ProcessTable,
} from "../process-tables/process-table.ts";
import { sleep } from "../time/waiting.ts";

/** Which processes belong together. */
export interface Tree {
  /** The program at the top, leader of its own group and session; null if only the marker identifies the tree. */
  readonly root: {
    readonly pid: number;
    /** Only for a program that another process started. */
    readonly startTime?: string;
    readonly ended: () => boolean;
    /** It only wraps the others and ends with them, so it gets no TERM. */
    readonly wraps?: boolean;
  } | null;
  readonly marker: ProcessMarker | null;
  /**
   * Given if this process adopts the tree's orphans and has no other children. Then all its children belong to the
   * tree.
   */
  readonly orphans?: Orphans | null;
}

/** Orphans that this process has adopted. */
export interface Orphans {
  /**
   * Collects the exit codes of ended orphans, so that none stays in the process table. It skips `own`, a child whose
   * end is awaited elsewhere. False if this process has no children at all, living or ended.
   */
  reap(own: number): boolean;
  /** Kills for a moment, without a look, processes that end before a look can find them. */
  hunt(): void;
}

export interface StoppedProcesses {
  /** Pids that lived and are gone now. */
  readonly stopped: readonly number[];
  /** Pids that survived KILL (not ours, or stuck in the kernel). */
  readonly left: readonly number[];
}

const FREEZE_ROUNDS = 8;
/** On a machine that is very busy, a killed process takes seconds to go. */
const KILL_WITHIN_MS = 5_000;
/** A tree that forks as fast as it is killed needs longer, and some luck. */
const HUNT_WITHIN_MS = 20_000;
const PAUSE_MS = { first: 2, last: 20 } as const;

/**
 * TERM for all, `graceMs` of patience, then KILL until none is left, or the same ones survive for 5 s. Never this
 * process.
 */
export async function stopTree(
  tree: Tree,
  options: { readonly graceMs: number },
  table: ProcessTable,
): Promise<StoppedProcesses> {
  const watch = watchTree(tree, table);
  const spared = tree.root?.wraps === true ? [tree.root.pid] : [];
  const living = await terminate(watch, { deadline: performance.now() + options.graceMs, spared }, table);
  const left = watch.isOver(living) ? [] : await killAll(watch, table);
  const leftPids = left.map(({ pid }) => pid);
  return { stopped: watch.seen().filter((pid) => !leftPids.includes(pid)), left: leftPids };
}

/** Sends TERM, to newcomers too, until all are gone or the time is over. Returns the living ones. */
async function terminate(
  watch: TreeWatch,
  { deadline, spared }: { readonly deadline: number; readonly spared: readonly number[] },
  table: ProcessTable,
): Promise<Entries> {
  const asked = new Set<number>(spared);
  for (;;) {
    const living = await watch.refreshTwice();
    if (watch.isOver(living) || performance.now() >= deadline) return living;
    const unasked = living.map(({ pid }) => pid).filter((pid) => !asked.has(pid));
    for (const pid of unasked) asked.add(pid);
    await table.signal(unasked, "SIGTERM");
    if (living.length === 0) await sleep(PAUSE_MS.last);
    await untilGone(living, deadline, table);
  }
}

/** Freezes and kills in turns until two looks find no process. Returns those that cannot be killed. */
async function killAll(watch: TreeWatch, table: ProcessTable): Promise<Entries> {
  const end = performance.now() + HUNT_WITHIN_MS;
  for (let [met, deadline] = [0, 0]; ; ) {
    const frozen = await freeze(watch, table);
    // Newcomers get the full time again; the same processes do not.
    const now = performance.now();
    if (watch.seen().length > met) deadline = Math.min(now + KILL_WITHIN_MS, end);
    met = watch.seen().length;
    await table.signal([...watch.rootGroup(), ...frozen.map(({ pid }) => pid)], "SIGKILL");
    await untilGone(frozen, deadline, table);
    const living = await watch.refreshTwice();
    if (watch.isOver(living) || performance.now() >= (living.length === 0 ? end : deadline)) return living;
    if (living.length === 0) watch.hunt();
  }
}

/**
 * Freezes all of them and looks again until no new one appears. A process that was forked between the look and the
 * stop is a child of a stopped one. None can appear after that.
 */
async function freeze(watch: TreeWatch, table: ProcessTable): Promise<Entries> {
  const frozen = new Map<number, ProcessEntry>();
  for (let round = 0; round < FREEZE_ROUNDS; round++) {
    const fresh = (await watch.refresh()).filter(({ pid }) => !frozen.has(pid));
    if (fresh.length === 0) break;
    for (const entry of fresh) frozen.set(entry.pid, entry);
    await table.signal(
      fresh.map(({ pid }) => pid),
      "SIGSTOP",
    );
  }
  return [...frozen.values()];
}

/** Waits until these processes are gone, or the deadline. It checks only these, which is cheap. */
async function untilGone(entries: Entries, deadline: number, table: ProcessTable): Promise<void> {
  let pause: number = PAUSE_MS.first;
  for (const entry of entries) {
    while (performance.now() < deadline && (await lives(entry, table))) {
      await sleep(Math.min(pause, Math.max(1, deadline - performance.now())));
      pause = Math.min(pause * 1.5, PAUSE_MS.last);
    }
  }
}

async function lives(entry: ProcessEntry, table: ProcessTable): Promise<boolean> {
  const now = await table.find(entry.pid);
  return now?.alive === true && now.startTime === entry.startTime;
}

type Entries = readonly ProcessEntry[];

/** One tree over several snapshots. It still knows the orphans of processes that died in between. */
interface TreeWatch {
  /** The living processes. */
  refresh(): Promise<Entries>;
  /** The same, but an empty answer is checked twice: one reading of the table can miss a fork. */
  refreshTwice(): Promise<Entries>;
  /**
   * Whether the tree is gone, if a look found these. No look finds a process that forks at once and ends, but it is a
   * child of some process.
   */
  isOver(living: Entries): boolean;
  /** Kills for a moment what no look finds. */
  hunt(): void;
  /** Every pid found alive so far. */
  seen(): readonly number[];
  /** The root's group in the form of kill(2), while the number is still ours. */
  rootGroup(): readonly number[];
}

function watchTree(tree: Tree, table: ProcessTable): TreeWatch {
  const known = new Map<number, string | null>(
    tree.root ? [[tree.root.pid, tree.root.startTime ?? null]] : [],
  );
  const seen = new Set<number>();

  const refresh = async (): Promise<Entries> => {
    // Read before the table: a root that ends meanwhile may still be in it, and is ours.
    const rootWasReaped = tree.root?.ended() === true;
    tree.orphans?.reap(tree.root?.pid ?? 0);
    const snapshot = await table.takeSnapshot();
    forgetReused(known, snapshot, rootWasReaped);
    const marked = tree.marker ? await snapshot.withMarker(tree.marker) : [];
    const adopted = tree.orphans ? snapshot.childrenOf(process.pid) : [];
    const members = snapshot.membersOf([...known.keys(), ...marked, ...adopted]);
    for (const { pid, startTime } of members) known.set(pid, startTime);
    const living = members.filter(({ alive }) => alive);
    for (const { pid } of living) seen.add(pid);
    return living;
  };

  return {
    refresh,
    refreshTwice: async () => {
      const living = await refresh();
      return living.length > 0 ? living : refresh();
    },
    isOver: (living) => living.length === 0 && tree.orphans?.reap(tree.root?.pid ?? 0) !== true,
    hunt: () => tree.orphans?.hunt(),
    seen: () => [...seen],
    rootGroup: () => (tree.root && known.has(tree.root.pid) ? [-tree.root.pid] : []),
  };
}

/** The living processes of a tree. */
export async function findTree(tree: Tree, table: ProcessTable): Promise<readonly ProcessEntry[]> {
  return watchTree(tree, table).refreshTwice();
}

/** A number that another process has got since is no longer ours. */
function forgetReused(
  known: Map<number, string | null>,
  snapshot: ProcessSnapshot,
  rootWasReaped: boolean,
): void {
  for (const [pid, before] of known) {
    const now = snapshot.find(pid);
    if (now === undefined) continue;
    if (before === null ? rootWasReaped : before !== now.startTime) known.delete(pid);
  }
}
