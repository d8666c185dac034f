/** Lets one process at a time work on files that several share; what a process held is free when it dies. */
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
import { newId } from "./ids.ts";
import { identify, isAlive, type ProcessIdentity } from "./process-identity.ts";
import { giveSecondName } from "./second-name.ts";
import { sleep } from "./waiting.ts";

export interface TicketLock {
  /** False where others took it over, because this process seemed to be gone. */
  isHeld(): boolean;
  release(): void;
}

export interface TicketOptions {
  /** How long to wait for others. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
  /** How long a holder that nobody here can look after may hold it; 10 s unless told. */
  readonly strangerMs?: number;
}

/** Its holder, and the table of processes that its pid belongs to. */
interface Owner extends ProcessIdentity {
  readonly space: string;
}

/** The newest number in the folder; `free` where its holder has given it back. Zero is free. */
interface Newest {
  readonly number: number;
  readonly free: boolean;
}

const STRANGER_MS = 10_000;
const LONGEST_PAUSE_MS = 10;
const FREE = ".free";
const NAME = /^(\d{1,15})(\.free)?$/;
const PAPER = ".paper";
/** A paper is needed for less than a millisecond. */
const PAPER_MS = 60_000;

/**
 * Waits for its turn in `folder`, which is made where it is missing and used for nothing else. Throws what the file system
 * says.
 *
 * Each turn is a file with the next number, which only one process can make; it gets the ending `.free` when the turn is over.
 * A number whose holder has died counts as given back: the next number is made, nothing is taken away from under anybody, so
 * that two who see the same dead holder cannot both win. Only who has the next number removes older ones; who comes late
 * with a number that was there before sees a newer one beside it, and withdraws.
 */
export async function takeTicket(
  folder: string,
  { patienceMs, signal, strangerMs = STRANGER_MS }: TicketOptions,
): Promise<TicketLock | "busy" | "canceled"> {
  const me: Owner = { ...(await self()), space: processSpace() };
  const deadline = performance.now() + patienceMs;
  const isAbandoned = watcher(folder, { me, strangerMs });
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
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

/** Numbers are removed in it, so it must be where its path says. */
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
  sweepPapers(folder);
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
 * False where the number was made by somebody else. It is the second name of a paper that was signed before, so that whoever
 * sees the number sees its holder.
 */
function claim(folder: string, number: string, owner: Owner): boolean {
  const paper = join(folder, `${newId()}${PAPER}`);
  try {
    writeFileSync(paper, JSON.stringify(owner), { flag: "wx", mode: 0o644 });
    giveSecondName(paper, join(folder, number));
    return true;
  } catch (error) {
    // Without the paper: somebody removed the folder, or took the paper for one of the dead.
    if (["EEXIST", "ENOENT"].includes(String((error as NodeJS.ErrnoException).code))) return false;
    throw error;
  } finally {
    rmSync(paper, { force: true });
  }
}

/** Removes the papers of those who were killed before they got a number. */
function sweepPapers(folder: string): void {
  const old = Date.now() - PAPER_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const made = name.endsWith(PAPER) ? lstatSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined;
    if (made !== undefined && made < old) rmSync(path, { force: true });
  }
}

/**
 * Whether the holder of a number is gone for sure; one that cannot be asked (another machine, another container) is given
 * its time, as seen from here.
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
    // Not one of ours, or copied where there are no links and not all of it yet.
    return null;
  }
}

// Windows has neither; what is opened there is looked at all the same.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Bytes of a holder's name, and more. */
const LONGEST_TEXT = 4096;
const NOTHING_THERE = ["ENOENT", "ELOOP", "EMLINK", "ENXIO"];

/** Null where no short plain file is: never through a link, never waiting for a pipe that somebody put there. */
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
    return stats.isFile() && stats.size <= LONGEST_TEXT ? readFileSync(file, "utf8") : null;
  } finally {
    closeSync(file);
  }
}

function newestIn(folder: string): Newest {
  const all = numbersIn(folder);
  const number = all.reduce((most, one) => Math.max(most, one.number), 0);
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

/** Where the system does not show processes everybody is a stranger to everybody. */
async function self(): Promise<ProcessIdentity> {
  const { pid } = process;
  return (await identify(pid)) ?? { pid, startTime: "", bootId: `unknown ${newId()}` };
}

/** Containers on one machine share its boot and count their processes each for themselves; other systems have one count. */
function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** What `act` answers, or null where it throws this one code. */
function ignoring<T>(code: string, act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return null;
    throw error;
  }
}
