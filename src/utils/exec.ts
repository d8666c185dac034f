/** Starts every process of the product: an argv, never a shell, in its own process group. */
import { closeSync, openSync } from "node:fs";
import { captureOutput } from "./files/output-buffer.ts";
import type { ProcessMarker, ProcessTable } from "./process-tables/process-table.ts";
import { createSystemProcessTable } from "./process-tables/system-process-table.ts";
import { bunChild } from "./processes/bun-child.ts";
import type { Child, ChunkReader } from "./processes/child.ts";
import {
  type Orphans,
  type ProcessEnd,
  type RunningProcess,
  tendProcess,
  whatEnds,
} from "./processes/running-process.ts";
import { explainStartError, type StartError } from "./processes/start-error.ts";
import { settlesWithin } from "./time/waiting.ts";
import { ownOptions } from "./values/own-properties.ts";

export type { Orphans, ProcessEnd, RunningProcess } from "./processes/running-process.ts";
export type { StartError } from "./processes/start-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ExecOptions {
  /** Absolute folder to run in. */
  readonly cwd: string;
  /** The whole environment of the process; nothing is inherited. */
  readonly env: Environment;
  readonly stdin?: { readonly text: string } | { readonly file: string } | "none";
  /** Default: no limit. */
  readonly timeoutMs?: number;
  /** Time between TERM and KILL; default 2000. */
  readonly graceMs?: number;
  /** The most bytes kept of each stream, from its beginning; default 16 MiB. The rest is read and dropped. */
  readonly maxOutputBytes?: number;
  /** Absolute path of a file that gets stdout byte for byte, without a limit. `stdout` of the result is empty then. */
  readonly stdoutFile?: string;
  /** Called with all output as it comes, even past the limit, never with half a character. Must not throw. */
  readonly onStdout?: (text: string) => void;
  readonly onStderr?: (text: string) => void;
  /** Called regularly with the program's progress, as long as it runs. Must not throw. */
  readonly watch?: { readonly everyMs: number; tell(progress: ExecProgress): void };
  readonly signal?: AbortSignal;
  /**
   * Added to the environment. With it, descendants in a session of their own are found and stopped too. Without it
   * those live on, which is right for what a user's git starts: ssh masters, credential daemons.
   */
  readonly marker?: ProcessMarker;
  /** See `ProcessOptions`. */
  readonly wrapped?: boolean;
}

/** What a running program has produced so far. */
interface ExecProgress {
  readonly elapsedMs: number;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

export type ExecResult =
  | {
      readonly started: true;
      /** Null if a signal ended it. */
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
      /** Processes that the program left behind when it ended by itself. They were stopped. */
      readonly stoppedBackground: number;
    }
  | { readonly started: false; readonly error: StartError };

const GRACE_MS = 2000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** How long a killed program may take to be gone. Only a program that is stuck in the kernel needs longer. */
const DEATH_MS = 250;

/**
 * Runs a program to its end. It never waits much longer than `timeoutMs + graceMs`, even if descendants live on. At
 * the time limit, or when `signal` aborts, the whole tree gets TERM, then KILL. The program's stdout and stderr are
 * sockets, as with every Node spawn: opening `/dev/stderr` by name fails in it.
 */
export async function exec(argv: readonly string[], given: ExecOptions): Promise<ExecResult> {
  const options = ownOptions(given);
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

interface ProcessOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly marker?: ProcessMarker;
  /**
   * Whether the program only wraps another one and ends with it. It gets no TERM, which would end the other one at
   * once.
   */
  readonly wrapped?: boolean;
  /** See `TendOptions`. */
  readonly orphans?: Orphans | null;
  /** Takes the next bytes. The stream waits for the promise, so a slow reader slows the writer. */
  readonly onStdout: ChunkReader;
  readonly onStderr: ChunkReader;
}

/** What came of a start. */
export type Started<Fields> =
  | ({ readonly started: true } & Readonly<Fields>)
  | { readonly started: false; readonly error: StartError };

/** Starts a program whose streams are read and written while it works. */
export async function startProcess(
  argv: readonly string[],
  options: ProcessOptions,
): Promise<Started<{ process: RunningProcess }>> {
  const launched = await launch(argv, options, ["pipe", "pipe", "pipe"]);
  if (!launched.started) return launched;
  const { marker = null, wrapped = false, orphans = null, onStdout, onStderr } = options;
  const held = { marker, wrapped, orphans, onStdout, onStderr };
  const process = tendProcess(launched.child, { table: localProcesses, ...held });
  return { started: true, process };
}

/** What a stream of the program is connected to. */
export type Slot = "pipe" | "ignore" | { readonly path: string; readonly flags: "r" | "w" | "a" };

/** Opens the files among the streams and starts the program. On failure it says in words why. */
export async function launch(
  argv: readonly string[],
  options: Pick<ExecOptions, "cwd" | "env" | "marker">,
  slots: readonly [Slot, Slot, Slot],
): Promise<Started<{ child: Child }>> {
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

/** Copied key by key: spreading the environment of the process itself takes Node twice as long. */
function copyOf(env: Environment): Record<string, string | undefined> {
  const copy: Record<string, string | undefined> = Object.create(null);
  for (const name of Object.keys(env)) copy[name] = env[name];
  return copy;
}

/**
 * Runs a program on the streams of this process, and tells how it ended. It is for a caller that only wraps the
 * program.
 */
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

/** Starts a program as the leader of a terminal's session. Works under Bun alone, and throws if it cannot be started. */
export function startInTerminal(
  argv: readonly string[],
  { cwd, env, terminal }: Pick<ExecOptions, "cwd" | "env"> & { readonly terminal: Bun.TerminalOptions },
): Child & { readonly terminal: Bun.Terminal | undefined } {
  // Of a terminal that is made before, the program would not lead the session.
  const started = Bun.spawn([...argv], ownOptions({ cwd, env: copyOf(env), terminal }));
  return { ...bunChild(started), terminal: started.terminal };
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
  const options = ownOptions({ cwd, env, stdin, stdout, stderr, detached: true, windowsHide: true });
  return bunChild(Bun.spawn([...argv], options));
}

/** Loaded once: importing the modules again would add a twentieth to each start of a program. */
let nodeTools: [typeof import("node:child_process"), typeof import("./processes/node-child.ts")] | null =
  null;

async function startWithNode(argv: readonly string[], { cwd, env, stdio }: StartOptions): Promise<Child> {
  nodeTools ??= await Promise.all([import("node:child_process"), import("./processes/node-child.ts")]);
  const [{ spawn }, { nodeChild }] = nodeTools;
  const [program = "", ...args] = argv;
  const options = ownOptions({ cwd, env, stdio: [...stdio], detached: true, windowsHide: true });
  const process = spawn(program, args, options);
  const failed = new Promise<never>((_, reject) => {
    // Later errors are signals that could not be sent. The sender checks the processes itself.
    process.on("error", reject);
  });
  failed.catch(() => {});
  return nodeChild(process) ?? failed;
}

/** The output of a system tool such as `ps`; empty if it failed. */
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
