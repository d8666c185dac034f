/** Runs one agent to its end: holds its pipes, its time limit and its stall clock. */
import { type Beside, startBeside } from "../utils/beside.ts";
import { type Orphans, type ProcessEnd, type RunningProcess, startProcess } from "../utils/exec.ts";
import { settlesWithin } from "../utils/waiting.ts";
import { type ActivityReader, notStored, openStreams, type StreamHeads } from "./agent-streams.ts";
import { recordAgent, takeReserve } from "./claim.ts";
import {
  type KeeperExit,
  type KeeperOrder,
  type KeeperRecord,
  type KeeperSpec,
  RUN_MARKER,
} from "./files.ts";
import { openInput } from "./input-feed.ts";
import { type StopCause, type StopCauses, watchForStop } from "./stop-causes.ts";

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
  /** Gives the command of a wrapped agent as it has to be started, perhaps more than once; each time `start` runs it to its end. */
  readonly held: <End extends WrappedEnd>(
    argv: readonly string[],
    start: (argv: readonly string[]) => Promise<End>,
  ) => Promise<
    | { readonly started: true; readonly end: End }
    | { readonly started: false /** One sentence. */; readonly problem: string }
  >;
}

/** Of a wrapped agent. */
export interface WrappedEnd extends StreamHeads {
  readonly code: number | null;
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
  const causes = watchForStop(options.dir, spec);
  const stop = new AbortController();
  const beside = spec.beside === null ? null : await startUntil(stop, spec.beside, causes);
  // What stands beside the agent is a child of this process too, and such an agent has a process table of its own.
  const orphans = beside === null ? options.orphans : null;
  try {
    if (beside?.started === false)
      return stop.signal.aborted ? neverRan(await causes.first) : couldNotStart(new Error(beside.message));
    const start = (argv: readonly string[]) =>
      runAgent({ ...options, orphans }, { ...spec, argv }, { record, causes });
    if (!spec.wrapped) return (await start(spec.argv)).ending;
    const held = await options.held(spec.argv, start);
    return held.started ? held.end.ending : notHeld(held.problem);
  } finally {
    causes.close();
    if (beside?.started) await beside.end();
  }
}

/** What stands beside the agent; the first cause to stop that one aborts `stop`, and ends the waiting for this. */
function startUntil(stop: AbortController, argv: readonly string[], causes: StopCauses): Promise<Beside> {
  void causes.first.then(() => stop.abort());
  causes.start();
  return startBeside(argv, { cwd: "/", env: {}, signal: stop.signal });
}

/** One start, to its end. */
async function runAgent(
  options: AgentSurroundings,
  spec: KeeperSpec,
  { record, causes }: { readonly record: KeeperRecord; readonly causes: StopCauses },
): Promise<WrappedEnd & { readonly ending: Ending }> {
  const { dir, orphans } = options;
  const feeding = new AbortController();
  const started = await startAgent(options, spec, causes).catch(couldNotStart);
  if (!("agent" in started)) return { code: null, stdout: "", stderr: "", ending: started };
  const { agent, input, logs } = started;
  causes.start();
  const reaping = setInterval(() => orphans?.reap(agent.pid), REAP_EVERY_MS);
  try {
    const feed = input.feed(agent, { signal: feeding.signal, onLine: logs.sawInput });
    // An input that cannot be read on is an input that has ended.
    feed.catch(() => agent.endInput());
    // After the start, since a person waits for that; a disk that is full by now stops the agent at once.
    const stored = Promise.all([takeReserve(dir), recordAgent(dir, record, agent.pid)]);
    await stored.catch((error) => causes.diskFull(notStored(reasonOf(error))));
    const ending = await seeToEnd(agent, causes, spec);
    logs.close();
    // Whatever else ended it meanwhile: what it said is not all there.
    return { ...logs.heads(), code: ending.code, ending: { ...ending, ...logs.lost() } };
  } finally {
    clearInterval(reaping);
    feeding.abort();
  }
}

/** The running agent with its input and its logs, or the ending of one that could not start. */
async function startAgent(options: AgentSurroundings, spec: KeeperSpec, causes: StopCauses) {
  const input = await openInput(options.dir, spec.stdin);
  const logs = openStreams(options, spec, causes);
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
  return neverRan({ reason, message });
}

/** The ending of an agent that was not started since nothing would have held it. */
function notHeld(problem: string): Ending {
  return neverRan({ reason: "not_held", message: problem });
}

function neverRan({ reason, message }: Pick<Ending, "reason" | "message">): Ending {
  return { code: null, signal: null, reason, message, stoppedBackground: 0, left: [] };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
