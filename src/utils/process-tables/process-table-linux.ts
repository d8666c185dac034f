/** Reads processes from `/proc`. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { sleep } from "../time/waiting.ts";
import { tryOr } from "../values/try-or.ts";
import { addCarrier, type ProcessEntry, type ProcessSource, signalEach } from "./process-table.ts";

/**
 * With more new pids than this, one pass over all of `/proc` is as cheap. Hundreds of programs started at once must
 * not each make that pass. Their newer pids are their own siblings, which are known.
 */
const MAX_CANDIDATES = 4096;

/**
 * How long an exec may take on a busy machine. During it a process shows neither arguments nor environment; kernel
 * threads never show any.
 */
const MAX_EXEC_MS = 64;

const KERNEL_THREADS = 2;

/** The facts about one process that take microseconds to read. */
export interface LinuxProcReader {
  entry(pid: number): ProcessEntry | null;
  /** The pid that was assigned last. */
  newest(): number | null;
}

export function linuxProcReader(proc = "/proc"): LinuxProcReader {
  return {
    entry: (pid) => {
      const stat = readFirst(`${proc}/${pid}/stat`);
      return stat === null ? null : parseStat(stat);
    },
    newest: () => newestPid(readFirst(`${proc}/loadavg`)),
  };
}

/** A table over `proc` (another folder in tests). Reads are synchronous: `/proc` answers from memory in microseconds. */
export function createLinuxTable(proc = "/proc"): ProcessSource {
  const read = (path: string) => tryOr(() => readFileSync(`${proc}/${path}`, "latin1"), null);

  /** No process outlives the boot it began in. */
  let boot: string | null = null;

  const entry = (pid: number): ProcessEntry | null => {
    const stat = read(`${pid}/stat`);
    return stat === null ? null : parseStat(stat);
  };

  const pids = () =>
    readdirSync(proc)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);

  return {
    list: async () => pids().flatMap((pid) => entry(pid) ?? []),
    find: async (pid) => entry(pid),
    carriers: async (name, among) => {
      const found = new Map<string, Set<number>>();
      // Most have ended, and a check first is cheaper than an error.
      let unclear = among.filter((pid) => existsSync(`${proc}/${pid}`));
      for (let wait = 1; unclear.length > 0; wait *= 2) {
        unclear = unclear.filter((pid) => {
          // Arguments before environment: a process with arguments has its new environment by the next reading.
          const inExec = wait === 1 || read(`${pid}/cmdline`) === "";
          const environ = read(`${pid}/environ`);
          for (const value of valuesIn(environ, name)) addCarrier(found, value, pid);
          return environ === "" && inExec && isUserProcess(entry(pid));
        });
        if (wait > MAX_EXEC_MS) break;
        if (unclear.length > 0) await sleep(wait);
      }
      return found;
    },
    startedAfter: (pid) => pidsAfter(pid, newestPid(readFirst(`${proc}/loadavg`))),
    signal: async (among, signal) => signalEach(among, signal),
    bootId: async () => {
      boot ??= read("sys/kernel/random/boot_id")?.trim() ?? null;
      return boot ?? "";
    },
  };
}

/**
 * One line of `/proc/PID/stat` (proc(5)). The name in parentheses may contain anything, even parentheses and line
 * feeds, so fields are counted from the last `)`. A leader that ended while its threads work is called Z as well.
 */
export function parseStat(stat: string): ProcessEntry | null {
  const close = stat.lastIndexOf(")");
  const fields = stat.slice(close + 2).split(" ");
  const [state, parent, group, session] = fields;
  const threads = Number(fields[17]);
  const startTime = fields[19];
  if (close < 0 || state === undefined || startTime === undefined) return null;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime,
    alive: state !== "X" && (state !== "Z" || threads > 1),
  };
}

function isUserProcess(entry: ProcessEntry | null): boolean {
  return entry?.alive === true && entry.parent !== KERNEL_THREADS && entry.pid !== KERNEL_THREADS;
}

/** The values of a name in an environment. An environment that no shell made may hold a name more than once. */
function valuesIn(environ: string | null, name: string): readonly string[] {
  const prefix = `${name}=`;
  if (!environ?.includes(prefix)) return [];
  const values = environ.split("\0").filter((variable) => variable.startsWith(prefix));
  // The file is read byte by byte (latin1).
  return values.map((variable) => Buffer.from(variable.slice(prefix.length), "latin1").toString());
}

const line = Buffer.alloc(512);

/** Reads a short file at once, several times faster than the general way; this runs after every program. */
function readFirst(path: string): string | null {
  try {
    const file = openSync(path, "r");
    try {
      return line.toString("latin1", 0, readSync(file, line));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** Linux assigns pids in order; the last field of `/proc/loadavg` is the newest of this pid namespace. */
function newestPid(loadavg: string | null): number | null {
  const newest = Number(loadavg?.trim().split(" ").at(-1));
  return Number.isInteger(newest) ? newest : null;
}

function pidsAfter(pid: number, newest: number | null): readonly number[] | null {
  if (newest === null) return null;
  const count = newest - pid;
  if (!(count >= 0 && count <= MAX_CANDIDATES)) return null;
  return Array.from({ length: count }, (_, index) => pid + 1 + index);
}
