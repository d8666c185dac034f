/** Describes the files in a run's folder through which the server and an agent's keeper communicate. */

/** File names below the run's folder. */
export const KEEPER_FILES = {
  /** What to run; written by the server, mode 0600. */
  spec: "spec.json",
  /** The identity of the keeper; written by the keeper before the agent starts. */
  keeper: "keeper.json",
  /** How it ended; written by the keeper when no process of the agent is left. */
  exit: "exit.json",
  /** The agent's stdout, redacted. */
  out: "out.jsonl",
  /** The agent's stderr, redacted. */
  err: "err.log",
  /** The positions of `err.log` lines among those of `out.jsonl`: see `parsePlaces`. */
  places: "err.places",
  /** When the lines of `out.jsonl` came: see `parseArrival`. */
  times: "out.times",
  /** The agent's own summary, redacted. */
  summary: "summary.txt",
  /** Lines for the agent's stdin, appended by the server. */
  in: "in.jsonl",
  /** Exists once no more lines will come. */
  inEnd: "in.end",
  /** The whole stdin of an agent that reads a prompt. */
  prompt: "prompt.txt",
  /** Exists once the server wants to stop the agent. */
  stop: "stop",
  /** Exists while a person is asked: then neither the time limit nor silence ends the agent. */
  asks: "asks",
  /** Reserved disk space for `exit.json`. */
  reserve: "reserve",
  /** The keeper's own stdout and stderr: empty unless it crashed. */
  log: "keeper.log",
} as const;

/** The environment variable that marks every process of a run. */
export const RUN_MARKER = "TAZUNA_RUN";

/** Finds the processes of one run. */
export function runMarker(run: string): { readonly name: string; readonly value: string } {
  return { name: RUN_MARKER, value: run };
}

const STDIN_KINDS = ["prompt", "lines", "empty"] as const;
export type StdinKind = (typeof STDIN_KINDS)[number];

/** What to run. Holds no environment: that comes with the order. */
export interface KeeperSpec {
  readonly run: string;
  /** Program first. */
  readonly argv: readonly string[];
  /** A program that must be ready first and works until the agent has ended; null for most agents. */
  readonly beside: readonly string[] | null;
  /** Whether the program of `argv` only wraps another one, and ends with it: it gets no TERM. */
  readonly wrapped: boolean;
  /** Absolute. */
  readonly cwd: string;
  /** What the agent reads: `prompt.txt`, the lines of `in.jsonl`, or nothing. */
  readonly stdin: StdinKind;
  /** The time limit of the agent; null is no limit. */
  readonly timeoutMs: number | null;
  /** How long it may be silent while no tool runs; null is no limit. */
  readonly stallMs: number | null;
  /** Time between TERM and KILL. */
  readonly graceMs: number;
  /**
   * The size limit of `out.jsonl`, for all starts of the run together. If there is more output, the middle is left
   * out.
   */
  readonly outBytes: number;
  /** The same for `err.log`. */
  readonly errBytes: number;
  /** Absolute; the file for the agent's own summary, which is deleted when the agent has ended. Null for none. */
  readonly summaryFile: string | null;
  /** Which line parser the stall clock uses. */
  readonly executor: string;
  /** Absolute; the file that says how long the agent may work (ADR 0093). Null for ever. */
  readonly leaseFile: string | null;
  /** Variables of the agent's environment whose values are redacted, besides those with a telling name. */
  readonly redactNames: readonly string[];
}

/** The process that keeps the agent, as `ProcessIdentity`; also the agent's pid and start time once it runs. */
export interface KeeperRecord {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
  readonly agentPid: number | null;
  readonly agentStartTime: string | null;
}

const REASONS = [
  "exited",
  "timed_out",
  "stalled",
  "stopped",
  "spawn_failed",
  "not_held",
  "disk_full",
  "fenced",
] as const;
export type KeeperReason = (typeof REASONS)[number];

/** How the agent ended, after its whole tree is gone and its output is on the disk. */
export interface KeeperExit {
  /** Null if a signal ended the agent or it never started. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly reason: KeeperReason;
  /** One sentence for people; empty if the agent ended by itself. */
  readonly message: string;
  /** UTC ISO. */
  readonly endedAt: string;
  /** Processes that the agent left behind when it ended by itself. They were stopped. */
  readonly stoppedBackground: number;
  /** Pids of the agent's tree that could not be stopped. */
  readonly left: readonly number[];
  /** Bytes of the agent's output that are not in `out.jsonl` and `err.log`. */
  readonly cutBytes: number;
}

/** The server's request to stop the agent. */
interface StopRequest {
  readonly graceMs: number;
}

/**
 * What the server sends a keeper on its stdin, because it may not stand in a file. The keeper's work begins with it.
 */
export interface KeeperOrder {
  /** The agent's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Secrets that are not in `env` and must not reach the disk either, such as the values of withheld variables. */
  readonly secrets: readonly string[];
}

export function formatOrder(order: KeeperOrder): string {
  return JSON.stringify(order);
}

/** Null if the server changed its mind, or was killed before it had sent everything. */
export function parseOrder(text: string): KeeperOrder | null {
  const order = fields(text);
  const secrets = strings(order.secrets);
  const { env } = order;
  if (secrets === null || typeof env !== "object" || env === null) return null;
  const variables = Object.entries(env).filter((entry): entry is [string, string] => isText(entry[0]));
  if (variables.some(([, value]) => typeof value !== "string")) return null;
  return { env: Object.fromEntries(variables), secrets };
}

// Checked by hand: a schema library would add a third to the memory of every keeper.

export function parseSpec(text: string): KeeperSpec | null {
  const it = fields(text);
  const { run, cwd, executor, stdin } = it;
  const argv = strings(it.argv);
  const redactNames = strings(it.redactNames);
  const kind = STDIN_KINDS.find((known) => known === stdin);
  if (!isText(run) || !isText(cwd) || !isText(executor) || !kind || !argv?.[0] || !redactNames) return null;
  const { timeoutMs, stallMs, graceMs, outBytes, errBytes } = it;
  if (!isLimit(timeoutMs) || !isLimit(stallMs) || !isCount(graceMs)) return null;
  if (!isCount(outBytes) || !isCount(errBytes)) return null;
  const limits = { timeoutMs, stallMs, graceMs, outBytes, errBytes };
  const beside = strings(it.beside);
  return {
    run,
    argv,
    beside,
    wrapped: it.wrapped === true,
    cwd,
    stdin: kind,
    ...limits,
    executor,
    redactNames,
    summaryFile: isText(it.summaryFile) ? it.summaryFile : null,
    leaseFile: isText(it.leaseFile) ? it.leaseFile : null,
  };
}

export function parseKeeperRecord(text: string): KeeperRecord | null {
  const { pid, startTime, bootId, agentPid, agentStartTime } = fields(text);
  if (!isCount(pid) || typeof startTime !== "string" || typeof bootId !== "string") return null;
  return {
    pid,
    startTime,
    bootId,
    agentPid: isCount(agentPid) ? agentPid : null,
    agentStartTime: typeof agentStartTime === "string" ? agentStartTime : null,
  };
}

export function parseExit(text: string): KeeperExit | null {
  const { code, signal, reason: name, message, endedAt, stoppedBackground, left, cutBytes } = fields(text);
  const reason = REASONS.find((known) => known === name);
  if (!reason || typeof message !== "string" || typeof endedAt !== "string") return null;
  return {
    code: typeof code === "number" ? code : null,
    signal: typeof signal === "string" ? signal : null,
    reason,
    message,
    endedAt,
    stoppedBackground: isCount(stoppedBackground) ? stoppedBackground : 0,
    left: Array.isArray(left) ? left.filter(isCount) : [],
    cutBytes: isCount(cutBytes) ? cutBytes : 0,
  };
}

export function parseStopRequest(text: string): StopRequest | null {
  const { graceMs } = fields(text);
  return isCount(graceMs) ? { graceMs } : null;
}

/** The fields of a JSON object; none if the text is something else. */
function fields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function strings(value: unknown): readonly string[] | null {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : null;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isLimit = (value: unknown): value is number | null => value === null || (isCount(value) && value > 0);
