/** Runs one agent to its end: holds its pipes, its time limit and its stall clock. */
import { join } from "node:path";
import { createRedactor, secretValues } from "../domain/agent/redact.ts";
import { startBeside } from "../utils/beside.ts";
import { type Orphans, type ProcessEnd, type RunningProcess, startProcess } from "../utils/exec.ts";
import { settlesWithin } from "../utils/waiting.ts";
import { type AgentLogOptions, createAgentLog } from "./agent-log.ts";
import { recordAgent, takeReserve } from "./claim.ts";
import {
  KEEPER_FILES,
  type KeeperExit,
  type KeeperOrder,
  type KeeperRecord,
  type KeeperSpec,
  RUN_MARKER,
} from "./files.ts";
import { openInput } from "./input-feed.ts";
import { type StopCause, type StopCauses, watchForStop } from "./stop-causes.ts";

/** What an agent does, as far as its lines were read: looked at whenever it was silent for too long. */
export interface Activity {
  /** How many of its tools run (or wait for an answer) now. A reader that is late with its lines counts on by itself. */
  readonly toolsRunning: number;
}

/** Reads one line of the agent's stdout. */
export type ActivityReader = (line: string) => Activity;

export interface AgentSurroundings {
  /** Absolute; the run's folder with `spec.json` in it. */
  readonly dir: string;
  /** The agent's environment; `TAZUNA_RUN` is added. */
  readonly env: KeeperOrder["env"];
  readonly secrets: KeeperOrder["secrets"];
  /** Null where this process adopts none: then only the mark of the run tells who belongs to it. */
  readonly orphans: Orphans | null;
  /** A reader for the executor that the spec names; should it throw, the line counts as a sign of life. */
  readonly activity: (executor: string) => ActivityReader;
}

/** An orphan that has ended keeps its number until then: even a thousand a second leave room for others. */
const REAP_EVERY_MS = 2000;

/** How the agent ended, but for the time. */
export type Ending = Omit<KeeperExit, "endedAt">;

/**
 * Starts the agent and sees it to its end. What goes wrong after the start and is not foreseen here is thrown: the
 * keeper dies of it, and whoever finds that stops what lives on by the mark of the run.
 */
export async function keepAgent(
  options: AgentSurroundings,
  spec: KeeperSpec,
  record: KeeperRecord,
): Promise<Ending> {
  const { dir } = options;
  const causes = watchForStop(dir, spec);
  const feeding = new AbortController();
  let reaping: NodeJS.Timeout | undefined;
  const beside = spec.beside === null ? null : await startBeside(spec.beside, { cwd: "/", env: {} });
  // What stands beside the agent is a child of this process too, and such an agent has a process table of its own.
  const orphans = beside === null ? options.orphans : null;
  try {
    if (beside?.started === false) return couldNotStart(new Error(beside.message));
    const started = await startAgent({ ...options, orphans }, spec, causes).catch(couldNotStart);
    if (!("agent" in started)) return started;
    const { agent, input, logs } = started;
    causes.start();
    reaping = setInterval(() => orphans?.reap(agent.pid), REAP_EVERY_MS);
    const feed = input.feed(agent, { signal: feeding.signal, onLine: logs.sawInput });
    // An input that cannot be read on is an input that has ended.
    feed.catch(() => agent.endInput());
    // After the start, since a person waits for that; a disk that is full by now stops the agent at once.
    const stored = Promise.all([takeReserve(dir), recordAgent(dir, record, agent.pid)]);
    await stored.catch((error) => causes.diskFull(notStored(reasonOf(error))));
    const ending = await seeToEnd(agent, causes, spec);
    logs.close();
    // Whatever else ended it meanwhile: what it said is not all there.
    return { ...ending, ...logs.lost() };
  } finally {
    clearInterval(reaping);
    feeding.abort();
    causes.close();
    if (beside?.started) await beside.end();
  }
}

/** The running agent with its input and its logs, or the ending of one that could not start. */
async function startAgent(options: AgentSurroundings, spec: KeeperSpec, causes: StopCauses) {
  const input = await openInput(options.dir, spec.stdin);
  const logs = openLogs(options, spec, causes);
  const started = await startProcess(spec.argv, {
    cwd: spec.cwd,
    env: options.env,
    marker: { name: RUN_MARKER, value: spec.run },
    orphans: options.orphans,
    wrapped: spec.wrapped,
    onStdout: logs.out.write,
    onStderr: logs.err.write,
  });
  if (!started.started) return couldNotStart(new Error(started.error.message));
  return { agent: started.process, input, logs };
}

/** The agent's two streams on the disk, and the stall clock that listens to them. */
function openLogs(options: AgentSurroundings, spec: KeeperSpec, causes: StopCauses) {
  const { dir, env } = options;
  const values = [...secretValues(env, { names: spec.redactNames }), ...options.secrets];
  // Made for the first line: what it needs is loaded while the agent works, not before it starts.
  let reader: ActivityReader | null = null;
  let activity: Activity = { toolsRunning: 0 };
  let lost: Partial<Pick<Ending, "reason" | "message">> = {};
  const sawLife = () => causes.sawLife(activity);
  const open = (name: string, limit: AgentLogOptions["limit"], onLine: (line: string) => void) =>
    createAgentLog({
      path: join(dir, name),
      limit,
      redactor: createRedactor({ values }),
      onLine,
      onFull: (reason) => {
        lost = { reason: "disk_full", message: notStored(reason) };
        causes.diskFull(notStored(reason));
      },
    });
  const { outBytes, errBytes } = spec;
  const onReached = () => {
    lost = { reason: "too_much_output", message: tooMuch(outBytes) };
    causes.tooMuchOutput(tooMuch(outBytes));
  };
  const out = open(KEEPER_FILES.out, { bytes: outBytes, drops: "newest", onReached }, (line) => {
    reader ??= options.activity(spec.executor);
    activity = activityAfter(reader, line) ?? activity;
    sawLife();
  });
  const err = open(KEEPER_FILES.err, { bytes: errBytes, drops: "oldest" }, sawLife);
  const close = () => {
    out.close();
    err.close();
  };
  return { out, err, sawInput: sawLife, close, lost: () => lost };
}

/** A line that its reader stumbles over says nothing about tools. */
function activityAfter(reader: ActivityReader, line: string): Activity | null {
  try {
    return reader(line);
  } catch {
    return null;
  }
}

/** How long a killed agent may take to be gone; only one that is stuck in the kernel needs longer. */
const DEATH_MS = 2000;

/** Waits for the agent's own end or the first cause to end it, until nothing of its tree is left. */
async function seeToEnd(agent: RunningProcess, causes: StopCauses, spec: KeeperSpec): Promise<Ending> {
  const cause: StopCause | null = await Promise.race([agent.exited.then(() => null), causes.first]);
  const killed = cause ? await agent.killTree({ graceMs: cause.graceMs }) : null;
  const dead = cause === null || (await settlesWithin(DEATH_MS, agent.exited));
  const end: ProcessEnd = dead ? await agent.exited : { code: null, signal: null };
  const background = await agent.finish({ graceMs: spec.graceMs });
  return {
    ...end,
    reason: cause?.reason ?? "exited",
    message: cause?.message ?? "",
    stoppedBackground: background.stopped.length,
    left: [...(killed?.left ?? []), ...background.left],
  };
}

/** The ending of an agent that never ran. */
export function couldNotStart(error: unknown): Ending {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "ENOSPC" || code === "EDQUOT" ? "disk_full" : "spawn_failed";
  const message = `The agent could not be started: ${reasonOf(error)}.`;
  return { code: null, signal: null, reason, message, stoppedBackground: 0, left: [] };
}

function notStored(reason: string): string {
  return `The agent's output could not be stored: ${reason}.`;
}

function tooMuch(bytes: number): string {
  const kibibytes = Math.floor(bytes / 1024);
  const size = kibibytes < 1024 ? `${kibibytes} KiB` : `${Math.floor(kibibytes / 1024)} MiB`;
  return `The agent printed more than ${size} and was stopped.`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
