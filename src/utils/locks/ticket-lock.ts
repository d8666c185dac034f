/** Lets one process at a time work on shared files; if a process dies, its lock is free. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { giveSecondName } from "../files/second-name.ts";
import { identify, isAlive, type ProcessIdentity } from "../programs/process-identity.ts";
import { sleep } from "../time/waiting.ts";
import { newId } from "../values/ids.ts";
import { tryOr } from "../values/try-or.ts";

export interface TicketLock {
  /** False if another process took the lock over, because this one seemed to be gone. */
  isHeld(): boolean;
  release(): void;
}

interface TicketOptions {
  /** How long to wait for other holders. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
  /** How long a holder that cannot be checked from here may hold it; default 10 s. */
  readonly strangerMs?: number;
}

/** Its holder, and the process table to which its pid belongs. */
interface Owner extends ProcessIdentity {
  readonly space: string;
}

/** The newest number in the folder; `free` if its holder has returned it. Zero is free. */
interface Newest {
  readonly number: number;
  readonly free: boolean;
}

const STRANGER_MS = 10_000;
const MAX_PAUSE_MS = 10;
const FREE = ".free";
const NAME = /^(\d{1,15})(\.free)?$/;
/** The ending of a claim file; other versions of Tazuna know it. */
const CLAIM_FILE = ".paper";
/** A claim file is needed for less than a millisecond. */
const CLAIM_FILE_MS = 60_000;

/**
 * Waits for its turn in `folder`. The folder is made if it is missing, and has no other use. Throws the file system's
 * error.
 *
 * Each turn is a file with the next number, which only one process can make. It gets the ending `.free` when the turn
 * is over. If the holder of a number has died, the number counts as returned. The next number is made; the old file
 * is not removed first. So two processes that see the same dead holder cannot both win. Only the holder of the next
 * number removes older ones. A process that comes late with an old number sees a newer one beside it, and withdraws.
 */
export async function takeTicket(
  folder: string,
  { patienceMs, signal, strangerMs = STRANGER_MS }: TicketOptions,
): Promise<TicketLock | "busy" | "canceled"> {
  // Containers on one machine share its boot, but each has its own pids. Other systems have one set of pids.
  const space = tryOr(() => readlinkSync("/proc/self/ns/pid"), "");
  const me: Owner = { ...(await self()), space };
  const deadline = performance.now() + patienceMs;
  const isAbandoned = watcher(folder, { me, strangerMs });
  for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    if (signal?.aborted) return "canceled";
    makeFolder(folder);
    const newest = newestIn(folder);
    const lock =
      newest.free || (await isAbandoned(newest.number)) ? tryNext(folder, newest.number + 1, me) : null;
    if (lock !== null) return lock;
    if (performance.now() > deadline) return "busy";
    await sleep(pause * (0.5 + Math.random()));
  }
}

/** Numbers are removed in this folder, so it must not be a link. */
function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (lstatSync(folder).isDirectory()) return;
  throw Object.assign(new Error(`${folder} is a link`), { code: "ENOTDIR" });
}

function tryNext(folder: string, number: number, me: Owner): TicketLock | null {
  const name = String(number);
  if (!claim(folder, name, me)) return null;
  const others = numbersIn(folder).filter((one) => one.name !== name);
  if (others.some((one) => one.number >= number)) {
    rmSync(join(folder, name), { force: true });
    return null;
  }
  for (const older of others) rmSync(join(folder, older.name), { force: true, recursive: true });
  sweepClaimFiles(folder);
  return {
    isHeld: () => {
      const newest = newestIn(folder);
      return newest.number === number && !newest.free;
    },
    release: () => {
      ignoring("ENOENT", () => renameSync(join(folder, name), join(folder, `${name}${FREE}`)));
    },
  };
}

/**
 * False if another process made the number. The number is a hard link to a complete claim file, so its holder is
 * always readable.
 */
function claim(folder: string, number: string, owner: Owner): boolean {
  const claimFile = join(folder, `${newId()}${CLAIM_FILE}`);
  try {
    writeFileSync(claimFile, JSON.stringify(owner), { flag: "wx", mode: 0o644 });
    giveSecondName(claimFile, join(folder, number));
    return true;
  } catch (error) {
    // The claim file is missing: the folder was removed, or the file was mistaken for one of a dead process.
    if (["EEXIST", "ENOENT"].includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  } finally {
    rmSync(claimFile, { force: true });
  }
}

/** Removes the claim files of processes that were killed before they got a number. */
function sweepClaimFiles(folder: string): void {
  const old = Date.now() - CLAIM_FILE_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const made = name.endsWith(CLAIM_FILE) ? lstatSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined;
    if (made !== undefined && made < old) rmSync(path, { force: true });
  }
}

/**
 * Whether the holder of a number is surely gone. A holder that cannot be checked (another machine, another container)
 * gets its full time, measured from here.
 */
function watcher(
  folder: string,
  { me, strangerMs }: { readonly me: Owner; readonly strangerMs: number },
): (number: number) => Promise<boolean> {
  let watched = { number: 0, since: 0 };
  return async (number) => {
    const owner = ownerOf(join(folder, String(number)));
    if (owner?.bootId === me.bootId && owner.space === me.space) return !(await isAlive(owner));
    if (watched.number !== number) watched = { number, since: performance.now() };
    return performance.now() - watched.since > strangerMs;
  };
}

function ownerOf(path: string): Owner | null {
  const text = shortText(path);
  if (text === null) return null;
  try {
    const { pid, startTime, bootId, space } = JSON.parse(text);
    return Number.isSafeInteger(pid) ? { pid, startTime, bootId, space } : null;
  } catch {
    // A foreign file, or an incomplete copy on a file system without links.
    return null;
  }
}

// Windows has neither flag; the opened file is checked all the same.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** More bytes than a holder's name needs. */
const MAX_TEXT_LENGTH = 4096;
const NOTHING_THERE = ["ENOENT", "ELOOP", "EMLINK", "ENXIO"];

/** Null unless it is a short plain file. Never follows a link, and never waits for a pipe. */
function shortText(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, FLAGS);
  } catch (error) {
    if (NOTHING_THERE.includes(String((error as NodeJS.ErrnoException).code))) return null;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size <= MAX_TEXT_LENGTH ? readFileSync(file, "utf8") : null;
  } finally {
    closeSync(file);
  }
}

function newestIn(folder: string): Newest {
  const all = numbersIn(folder);
  const number = all.reduce((max, one) => Math.max(max, one.number), 0);
  return { number, free: number === 0 || all.some((one) => one.number === number && one.free) };
}

function numbersIn(
  folder: string,
): readonly { readonly name: string; readonly number: number; readonly free: boolean }[] {
  const names = ignoring("ENOENT", () => readdirSync(folder)) ?? [];
  return names.flatMap((name) => {
    const match = NAME.exec(name);
    return match === null ? [] : [{ name, number: Number(match[1]), free: match[2] !== undefined }];
  });
}

/** If the system does not show processes, no process can check another. */
async function self(): Promise<ProcessIdentity> {
  const { pid } = process;
  return (await identify(pid)) ?? { pid, startTime: "", bootId: `unknown ${newId()}` };
}

/** What `act` returns, or null if it throws this one code. */
function ignoring<T>(code: string, act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return null;
    throw error;
  }
}
