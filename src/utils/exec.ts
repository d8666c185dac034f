/** Starts every process of the product: an argv, never a shell, in a process group of its own. */
import { closeSync, openSync } from "node:fs";
import { bunChild } from "./bun-child.ts";
import { captureOutput } from "./capture-output.ts";
import type { Child, ChunkReader } from "./child.ts";
import type { ProcessMarker, ProcessTable } from "./process-table.ts";
import { type Orphans, type ProcessEnd, type RunningProcess, tendProcess } from "./running-process.ts";
import { explainStartError, type StartError } from "./start-error.ts";
import { createSystemProcessTable } from "./system-process-table.ts";
import { LONGEST_TIMER_MS, settlesWithin } from "./waiting.ts";

export type { ProcessMarker } from "./process-table.ts";
export type { Orphans, ProcessEnd, RunningProcess } from "./running-process.ts";
export type { StartError } from "./start-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ExecOptions {
  /** Absolute folder to run in. */
  readonly cwd: string;
  /** The whole environment of the process; nothing is inherited. */
  readonly env: Environment;
  readonly stdin?: { readonly text: string } | { readonly file: string } | "none";
  /** No limit unless told. */
  readonly timeoutMs?: number;
  /** Between TERM and KILL; 2000 unless told. */
  readonly graceMs?: number;
  /** Most bytes of each stream that are kept, from its head; 16 MiB unless told. The rest is read and dropped. */
  readonly maxOutputBytes?: number;
  /** Absolute file that takes stdout byte for byte, without a limit; `stdout` of the result is empty then. */
  readonly stdoutFile?: string;
  /** Called with everything as it comes, past the limit too, never with half a character. Must not throw. */
  readonly onStdout?: (text: string) => void;
  readonly onStderr?: (text: string) => void;
  /** Told every so often how far the program is, as long as it runs. Must not throw. */
  readonly watch?: { readonly everyMs: number; tell(progress: ExecProgress): void };
  readonly signal?: AbortSignal;
  /**
   * Added to the environment. With it, descendants that left for a session of their own are found and stopped too;
   * without it those live on (which is right for what a user's git starts: ssh masters, credential daemons).
   */
  readonly marker?: ProcessMarker;
  /** As of `ProcessOptions`. */
  readonly wrapped?: boolean;
}

/** What a running program has done so far. */
export interface ExecProgress {
  readonly elapsedMs: number;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

export type ExecResult =
  | {
      readonly started: true;
      /** Null where a signal ended it. */
      readonly code: number | null;
      readonly signal: string | null;
      readonly timedOut: boolean;
      readonly canceled: boolean;
      /** UTF-8, bad bytes as U+FFFD. */
      readonly stdout: string;
      readonly stderr: string;
      readonly stdoutTruncated: boolean;
      readonly stderrTruncated: boolean;
      readonly durationMs: number;
      /** Processes that the program left behind when it ended by itself; they were stopped. */
      readonly stoppedBackground: number;
    }
  | { readonly started: false; readonly error: StartError };

const GRACE_MS = 2000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** How long a program that was killed may take to be gone; only one that is stuck in the kernel needs longer. */
const DEATH_MS = 250;

/**
 * Runs a program to its end and never waits longer than `timeoutMs + graceMs` and a moment, whatever its
 * descendants do. At the time limit, or when `signal` aborts, the whole tree gets TERM, then KILL.
 * The program's stdout and stderr are sockets, as with every Node spawn: opening `/dev/stderr` by name fails in it.
 */
export async function exec(argv: readonly string[], options: ExecOptions): Promise<ExecResult> {
  const began = performance.now();
  const { graceMs = GRACE_MS, maxOutputBytes: maxBytes = MAX_OUTPUT_BYTES } = options;
  const stdout = captureOutput({ maxBytes, listener: options.onStdout ?? null });
  const stderr = captureOutput({ maxBytes, listener: options.onStderr ?? null });
  if (options.signal?.aborted) return { started: false, error: CANCELED };
  const launched = await launch(argv, options, [stdinSlot(options.stdin), stdoutSlot(options), "pipe"]);
  if (!launched.started) return launched;

  const { marker = null, wrapped = false } = options;
  const readers = { onStdout: stdout.push, onStderr: stderr.push };
  const child = tendProcess(launched.child, { table: localProcesses, marker, wrapped, ...readers });
  if (typeof options.stdin === "object" && "text" in options.stdin) void child.write(options.stdin.text);
  child.endInput();
  const progress = () => ({
    elapsedMs: performance.now() - began,
    stdoutBytes: stdout.seenBytes(),
    stderrBytes: stderr.seenBytes(),
  });
  const unwatch = watchProgram(options.watch, progress);
  const cause = await whatEnds(child.exited, options).finally(unwatch);
  if (cause !== "exited") await child.killTree({ graceMs });
  const dead = cause === "exited" || (await settlesWithin(DEATH_MS, child.exited));
  const { code, signal } = dead ? await child.exited : NO_END;
  const background = await child.finish({ graceMs });
  stdout.end();
  stderr.end();
  return {
    started: true,
    code,
    signal,
    timedOut: cause === "timeout",
    canceled: cause === "abort",
    stdout: stdout.text(),
    stderr: stderr.text(),
    stdoutTruncated: stdout.droppedBytes() > 0,
    stderrTruncated: stderr.droppedBytes() > 0,
    durationMs: performance.now() - began,
    stoppedBackground: background.stopped.length,
  };
}

const NO_END: ProcessEnd = { code: null, signal: null };
const CANCELED: StartError = { kind: "canceled", message: "canceled before it was started" };

function stdinSlot(stdin: ExecOptions["stdin"]): Slot {
  if (stdin === undefined || stdin === "none") return "ignore";
  return "file" in stdin ? { path: stdin.file, flags: "r" } : "pipe";
}

function stdoutSlot({ stdoutFile }: ExecOptions): Slot {
  return stdoutFile === undefined ? "pipe" : { path: stdoutFile, flags: "w" };
}

function watchProgram(watch: ExecOptions["watch"], progress: () => ExecProgress): () => void {
  if (watch === undefined) return () => {};
  const timer = setInterval(() => watch.tell(progress()), watch.everyMs);
  return () => clearInterval(timer);
}

/** The first of: the program ends, the time is over, the caller has changed their mind. */
async function whatEnds(
  exited: Promise<unknown>,
  { timeoutMs, signal }: Pick<ExecOptions, "timeoutMs" | "signal">,
): Promise<"exited" | "timeout" | "abort"> {
  const { promise, resolve } = Promise.withResolvers<"exited" | "timeout" | "abort">();
  const onAbort = () => resolve("abort");
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(resolve, Math.min(timeoutMs, LONGEST_TIMER_MS), "timeout");
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  void exited.then(() => resolve("exited"));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

export interface ProcessOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly marker?: ProcessMarker;
  /** Whether the program only holds another one and ends with it: it gets no TERM, which would end that one at once. */
  readonly wrapped?: boolean;
  /** As of `TendOptions`. */
  readonly orphans?: Orphans | null;
  /** Takes the next bytes; the stream waits for the promise, so that a slow reader slows the writer. */
  readonly onStdout: ChunkReader;
  readonly onStderr: ChunkReader;
}

export type StartedProcess =
  | { readonly started: true; readonly process: RunningProcess }
  | { readonly started: false; readonly error: StartError };

/** Starts a program whose streams are read and written while it works. */
export async function startProcess(
  argv: readonly string[],
  options: ProcessOptions,
): Promise<StartedProcess> {
  const launched = await launch(argv, options, ["pipe", "pipe", "pipe"]);
  if (!launched.started) return launched;
  const { marker = null, wrapped = false, orphans = null, onStdout, onStderr } = options;
  const held = { marker, wrapped, orphans, onStdout, onStderr };
  const process = tendProcess(launched.child, { table: localProcesses, ...held });
  return { started: true, process };
}

/** What a stream of the program is joined to. */
export type Slot = "pipe" | "ignore" | { readonly path: string; readonly flags: "r" | "w" | "a" };

export type Launched =
  | { readonly started: true; readonly child: Child }
  | { readonly started: false; readonly error: StartError };

/** Opens what is no pipe, starts the program, and says in words why it could not be started. */
export async function launch(
  argv: readonly string[],
  options: Pick<ExecOptions, "cwd" | "env" | "marker">,
  slots: readonly [Slot, Slot, Slot],
): Promise<Launched> {
  const opened: number[] = [];
  const open = (slot: Slot): Joined => {
    if (typeof slot === "string") return slot;
    const descriptor = openSync(slot.path, slot.flags, 0o600);
    opened.push(descriptor);
    return descriptor;
  };
  const { cwd, marker } = options;
  const env = copyOf(options.env);
  if (marker) env[marker.name] = marker.value;
  try {
    const stdio = [open(slots[0]), open(slots[1]), open(slots[2])] as const;
    return { started: true, child: await start(argv, { cwd, env, stdio }) };
  } catch (error) {
    return { started: false, error: explainStartError(error, { program: argv[0] ?? "", cwd }) };
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Key by key: spreading the environment of the process itself takes Node twice as long. */
function copyOf(env: Environment): Record<string, string | undefined> {
  const copy: Record<string, string | undefined> = {};
  for (const name of Object.keys(env)) copy[name] = env[name];
  return copy;
}

/** Runs a program on the streams of this process, and tells how it ended. It is for whoever only stands in front of one. */
export async function runInPlace(
  argv: readonly string[],
  { cwd, env }: Pick<ExecOptions, "cwd" | "env">,
): Promise<ProcessEnd | StartError> {
  try {
    const stdio = ["inherit", "inherit", "inherit"] as const;
    const child = await start(argv, { cwd, env: copyOf(env), stdio });
    return await child.ended;
  } catch (error) {
    return explainStartError(error, { program: argv[0] ?? "", cwd });
  }
}

type Joined = "pipe" | "ignore" | "inherit" | number;

interface StartOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdio: readonly [Joined, Joined, Joined];
}

/** The one place that starts processes. */
const start = typeof Bun === "undefined" ? startWithNode : startWithBun;

function startWithBun(argv: readonly string[], { cwd, env, stdio }: StartOptions): Child {
  const [stdin, stdout, stderr] = stdio;
  const options = { cwd, env, stdin, stdout, stderr, detached: true, windowsHide: true };
  return bunChild(Bun.spawn([...argv], options));
}

/** Loaded once: asking for a module again costs a program's start a twentieth. */
let nodeTools: [typeof import("node:child_process"), typeof import("./node-child.ts")] | null = null;

async function startWithNode(argv: readonly string[], { cwd, env, stdio }: StartOptions): Promise<Child> {
  nodeTools ??= await Promise.all([import("node:child_process"), import("./node-child.ts")]);
  const [{ spawn }, { nodeChild }] = nodeTools;
  const [program = "", ...args] = argv;
  const options = { cwd, env, stdio: [...stdio], detached: true, windowsHide: true };
  const process = spawn(program, args, options);
  const failed = new Promise<never>((_, reject) => {
    // Later errors are signals that could not be sent; who sends them looks at the processes themselves.
    process.on("error", reject);
  });
  failed.catch(() => {});
  return nodeChild(process) ?? failed;
}

/** The output of a system tool such as `ps`, empty where it failed. */
async function toolOutput(argv: readonly string[]): Promise<string> {
  const windows = process.platform === "win32";
  const env = windows ? WINDOWS_ENV : { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" };
  const result = await exec(argv, { cwd: windows ? "C:\\" : "/", env, timeoutMs: 10_000 });
  return result.started ? result.stdout : "";
}

const WINDOWS_ENV = {
  SystemRoot: "C:\\Windows",
  PATH: "C:\\Windows\\System32;C:\\Windows\\System32\\WindowsPowerShell\\v1.0",
};

/** The processes of this machine. */
export const localProcesses: ProcessTable = createSystemProcessTable(process.platform, toolOutput);
