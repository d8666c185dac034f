/** Lets one process at a time work on files that several share; what a process held is free when it dies. */
import {
  closeSync,
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
import { identify, isAlive, type ProcessIdentity } from "./process-identity.ts";
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
const LONGEST_PAUSE_MS = 25;
const NAME = /^(\d{1,15})(\.free)?$/;

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
    mkdirSync(folder, { recursive: true });
    const newest = newestIn(folder);
    if (newest.free || (await isAbandoned(newest.number))) {
      const number = newest.number + 1;
      if (claim(join(folder, String(number)), me)) {
        const others = numbersIn(folder).filter((one) => one.name !== String(number));
        if (others.every((one) => one.number < number)) return holding(folder, number);
        rmSync(join(folder, String(number)), { force: true });
      }
    }
    if (performance.now() > deadline) return "busy";
    await sleep(pause * (0.5 + Math.random()));
  }
}

function holding(folder: string, number: number): TicketLock {
  for (const older of numbersIn(folder))
    if (older.number < number) rmSync(join(folder, older.name), { force: true });
  const path = join(folder, String(number));
  return {
    isHeld: () => {
      const newest = newestIn(folder);
      return newest.number === number && !newest.free;
    },
    release: () => {
      ignoring("ENOENT", () => renameSync(path, `${path}.free`));
    },
  };
}

/** False where the number was made by somebody else. */
function claim(path: string, owner: Owner): boolean {
  const file = ignoring("EEXIST", () => openSync(path, "wx", 0o644));
  if (file === null) return false;
  try {
    writeFileSync(file, JSON.stringify(owner));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

/**
 * Whether the holder of a number is gone for sure; one that cannot be asked (another machine, another container, killed before
 * it had signed) is given its time, as seen from here.
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
  const text = ignoring("ENOENT", () => readFileSync(path, "utf8"));
  if (text === null) return null;
  try {
    const { pid, startTime, bootId, space } = JSON.parse(text);
    return Number.isSafeInteger(pid) ? { pid, startTime, bootId, space } : null;
  } catch {
    // Its holder was killed, or is just about to sign.
    return null;
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

async function self(): Promise<ProcessIdentity> {
  const identity = await identify(process.pid);
  if (identity === null)
    throw new Error(`The system does not list process ${process.pid}, which is this one`);
  return identity;
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
