/** Lets the server control a keeper and read its state through the files of the run's folder. */
import { existsSync } from "node:fs";
import { appendFile, type FileHandle, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../utils/files/atomic-write.ts";
import { watchFiles } from "../utils/files/file-changes.ts";
import { isAlive, type ProcessIdentity, stopMarked } from "../utils/programs/process-identity.ts";
import {
  KEEPER_FILES,
  type KeeperExit,
  type KeeperRecord,
  type KeeperSpec,
  parseExit,
  parseKeeperRecord,
  parseSpec,
  runMarker,
} from "./files.ts";

interface KeeperState {
  readonly spec: KeeperSpec | null;
  readonly keeper: KeeperRecord | null;
  readonly exit: KeeperExit | null;
  /** Whether the process of `keeper` lives: same pid, start time and boot. */
  readonly alive: boolean;
}

/**
 * Writes the prompt, an empty `in.jsonl` and `spec.json` into an existing folder, durably, mode 0600. The prompt is
 * required if the spec says that the agent reads one.
 */
export async function writeSpec(
  dir: string,
  spec: KeeperSpec,
  options: { readonly prompt: string | null },
): Promise<void> {
  await Promise.all([
    options.prompt === null ? null : writeFileAtomic(join(dir, KEEPER_FILES.prompt), options.prompt),
    spec.stdin === "lines" ? appendFile(join(dir, KEEPER_FILES.in), "", { mode: 0o600 }) : null,
    writeFileAtomic(join(dir, KEEPER_FILES.spec), `${JSON.stringify(spec)}\n`),
  ]);
}

/** The current state of the folder; a missing or damaged file is null. */
export async function readKeeperState(dir: string): Promise<KeeperState> {
  const keeper = await readParsed(dir, KEEPER_FILES.keeper, parseKeeperRecord);
  const alive = keeper !== null && (await isAlive(keeper));
  // Read after the process check: a keeper writes its exit before it ends, so "dead and no exit" is final.
  const exit = await readParsed(dir, KEEPER_FILES.exit, parseExit);
  return { spec: await readParsed(dir, KEEPER_FILES.spec, parseSpec), keeper, exit, alive };
}

/** Asks the keeper to stop the agent; a second request changes nothing. */
export async function requestStop(dir: string, options: { readonly graceMs: number }): Promise<void> {
  await writeFileAtomic(join(dir, KEEPER_FILES.stop), `${JSON.stringify(options)}\n`);
}

/** Tells the keeper whether a person is asked. Then it is not the agent that takes its time. */
export async function tellAsking(dir: string, asks: boolean): Promise<void> {
  const path = join(dir, KEEPER_FILES.asks);
  if (asks) await writeFileAtomic(path, "");
  else await rm(path, { force: true });
}

/** Whether the keeper was asked to stop the agent. */
export function isToldToStop(dir: string): boolean {
  return existsSync(join(dir, KEEPER_FILES.stop));
}

/**
 * Appends one line (without a line feed in it) for the agent's stdin. Calls for one folder must not overlap. A killed
 * server, or a full disk, may have left half a line: it is completed, or replaced.
 */
export async function appendInput(dir: string, line: string): Promise<void> {
  if (line.includes("\n")) throw new Error("a line for an agent's stdin must not hold a line feed");
  const whole = Buffer.from(`${line}\n`);
  const file = await open(join(dir, KEEPER_FILES.in), "a+", 0o600);
  try {
    const { size } = await file.stat();
    const begun = await unfinishedLine(file, size);
    // The keeper may have read the begun line, so it is not cut back without need.
    const isThis = whole.subarray(0, begun.length).equals(begun);
    if (!isThis) await file.truncate(size - begun.length);
    await file.appendFile(isThis ? whole.subarray(begun.length) : whole);
  } finally {
    await file.close();
  }
}

/** What follows the last line feed. Nearly always nothing does, and only the last byte is read. */
async function unfinishedLine(file: FileHandle, size: number): Promise<Buffer> {
  const from = async (position: number) => {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(size - position),
      0,
      size - position,
      position,
    );
    return buffer.subarray(0, bytesRead);
  };
  const last = await from(Math.max(0, size - 1));
  if (last.length === 0 || last[0] === LINE_FEED) return Buffer.alloc(0);
  const all = await from(0);
  return all.subarray(all.lastIndexOf(LINE_FEED) + 1);
}

const LINE_FEED = 0x0a;

/** Announces that no more lines will come: the agent's stdin is closed after the last one. */
export async function endInput(dir: string): Promise<void> {
  const file = await open(join(dir, KEEPER_FILES.inEnd), "a", 0o600);
  await file.close();
}

export type KeeperEnding =
  | { readonly kind: "exited"; readonly exit: KeeperExit }
  /** The keeper is gone and left no `exit.json`. The agent may live: find it by `TAZUNA_RUN`. */
  | { readonly kind: "keeper_died" }
  /** The keeper is gone and never recorded its identity, so it started no agent. */
  | { readonly kind: "never_began" }
  /** `signal` aborted. */
  | { readonly kind: "canceled" };

interface WaitOptions {
  readonly signal?: AbortSignal;
  /** How long a keeper may take to write `keeper.json`; default 60 s. */
  readonly startMs?: number;
  /** How often the keeper's process is checked; default 1 s. */
  readonly pollMs?: number;
  /** Whether any process of the run lives. Called if a keeper has not recorded its identity after `pollMs`. */
  readonly lives?: () => Promise<boolean>;
}

const START_MS = 60_000;

/** Settles when the run of this folder has ended, or its keeper has. */
export async function waitForExit(dir: string, options: WaitOptions = {}): Promise<KeeperEnding> {
  const { signal, startMs = START_MS, pollMs = 1000, lives = async () => true } = options;
  const began = performance.now();
  const files = [KEEPER_FILES.exit, KEEPER_FILES.keeper];
  const changes = watchFiles({ folder: dir, files, pollMs, signals: signal ? [signal] : [] });
  try {
    let keeper: KeeperRecord | null = null;
    for (;;) {
      if (signal?.aborted) return { kind: "canceled" };
      // A run's keeper never changes, so its record is read only until it exists.
      keeper ??= await readParsed(dir, KEEPER_FILES.keeper, parseKeeperRecord);
      const alive = keeper !== null && (await isAlive(keeper));
      // Read after the process check, as in `readKeeperState`. A check of the name comes first, because this runs
      // every second for every agent.
      const ended = existsSync(join(dir, KEEPER_FILES.exit));
      const exit = ended ? await readParsed(dir, KEEPER_FILES.exit, parseExit) : null;
      if (exit) return { kind: "exited", exit };
      if (keeper !== null && !alive) return { kind: "keeper_died" };
      const waitedMs = keeper === null ? performance.now() - began : 0;
      if (waitedMs > startMs) return { kind: "keeper_died" };
      if (waitedMs > pollMs && !(await lives())) {
        // Unless it wrote its record and ended between both checks.
        if (!existsSync(join(dir, KEEPER_FILES.keeper))) return { kind: "never_began" };
        continue;
      }
      await changes.next();
    }
  } finally {
    changes.close();
  }
}

/**
 * Stops the rest of a run whose keeper is dead. It finds it by the run's marker, and by the tree of a living agent. A
 * process that cleared its environment and lost its parents cannot be found.
 */
export async function stopOrphanedAgent(
  dir: string,
  options: { readonly run: string; readonly graceMs?: number },
): Promise<void> {
  const keeper = await readParsed(dir, KEEPER_FILES.keeper, parseKeeperRecord);
  const { run, graceMs } = options;
  await stopMarked(runMarker(run), { ...(graceMs === undefined ? {} : { graceMs }), root: agentOf(keeper) });
}

function agentOf(keeper: KeeperRecord | null): ProcessIdentity | null {
  const { agentPid: pid = null, agentStartTime: startTime = null, bootId } = keeper ?? {};
  return pid === null || startTime === null || bootId === undefined ? null : { pid, startTime, bootId };
}

async function readParsed<T>(
  dir: string,
  name: string,
  parse: (text: string) => T | null,
): Promise<T | null> {
  try {
    return parse(await readFile(join(dir, name), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
