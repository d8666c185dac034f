/** Runs one agent to its end: manages its pipes, its time limit and its stall clock. */
import { type Orphans, type ProcessEnd, type RunningProcess, startProcess } from "../utils/exec.ts";
import { type Companion, startCompanion } from "../utils/programs/companion.ts";
import { settlesWithin } from "../utils/time/waiting.ts";
import { type ActivityReader, notStored, openStreams, type StreamHeads } from "./agent-streams.ts";
import { recordAgent, takeReserve } from "./claim.ts";
import { type KeeperExit, type KeeperOrder, type KeeperRecord, type KeeperSpec, runMarker } from "./files.ts";
import { openInput } from "./input-feed.ts";
import { type StopCause, type StopCauses, watchForStop } from "./stop-causes.ts";

export interface AgentSurroundings {
  /** Absolute; the run's folder with `spec.json` in it. */
  readonly dir: string;
  /** The agent's environment; `TAZUNA_RUN` is added. */
  readonly env: KeeperOrder["env"];
  /** What must not reach the disk. */
  readonly secrets: readonly string[];
  /** Null if this process adopts none: then only the marker of the run identifies its processes. */
  readonly orphans: Orphans | null;
  /** A reader for the executor that the spec names. If it throws, the line counts as a sign of life. */
  readonly activity: (executor: string) => ActivityReader;
  /**
   * Gives `start` the current command of a wrapped agent, perhaps more than once. Each time `start` runs it to its
   * end.
   */
  readonly held: <End extends WrappedEnd>(
    argv: readonly string[],
    start: (argv: readonly string[]) => Promise<End>,
  ) => Promise<
    | { readonly started: true; readonly end: End }
    | { readonly started: false /** One sentence. */; readonly problem: string }
  >;
}

/** The end of a wrapped agent. */
interface WrappedEnd extends StreamHeads {
  readonly code: number | null;
}

/** Until then, an ended orphan keeps its pid: even a thousand a second leave room for others. */
const REAP_EVERY_MS = 2000;

/** How the agent ended, without the time. */
export type Ending = Omit<KeeperExit, "endedAt">;

/**
 * Starts the agent and waits for its end. An unexpected error after the start is thrown and ends the keeper. The
 * server then stops the rest by the marker of the run.
 */
export async function keepAgent(
  options: AgentSurroundings,
  spec: KeeperSpec,
  record: KeeperRecord,
): Promise<Ending> {
  const causes = watchForStop(options.dir, spec, record);
  const late = causes.now();
  if (late !== null) return neverRan(late);
  const stop = new AbortController();
  const beside = spec.beside === null ? null : await startUntil(stop, spec.beside, causes);
  // The program beside the agent is a child of this process too. Such an agent has its own process table.
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

/** Starts the program beside the agent. The first cause to stop the agent aborts `stop`, and ends this waiting. */
function startUntil(stop: AbortController, argv: readonly string[], causes: StopCauses): Promise<Companion> {
  void causes.first.then(() => stop.abort());
  causes.start();
  return startCompanion(argv, { cwd: "/", env: {}, signal: stop.signal });
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
    const feed = input.feed(agent, { signal: feeding.signal, onWritten: logs.sawInput });
    // An unreadable input counts as ended.
    feed.catch(() => agent.endInput());
    // After the start, because a person waits for that. If the disk is full by now, the agent is stopped at once.
    const stored = Promise.all([takeReserve(dir), recordAgent(dir, record, agent.pid)]);
    await stored.catch((error) => causes.diskFull(notStored(reasonOf(error))));
    const ending = await seeToEnd(agent, causes, spec);
    logs.close();
    // Another cause may have ended it, but its output is incomplete all the same.
    return {
      ...logs.heads(),
      code: ending.code,
      ending: { ...ending, ...logs.lost(), cutBytes: logs.cutBytes() },
    };
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
    marker: runMarker(spec.run),
    orphans: options.orphans,
    wrapped: spec.wrapped,
    onStdout: logs.out.write,
    onStderr: logs.err.write,
  });
  if (!started.started) return couldNotStart(new Error(started.error.message));
  logs.answerBy((line) => void started.process.write(`${line}\n`));
  return { agent: started.process, input, logs };
}

/** How long a killed agent may take to be gone. Only one that is stuck in the kernel needs longer. */
const DEATH_MS = 2000;

/** Waits for the agent's end or the first cause to stop it, until no process of its tree is left. */
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
    cutBytes: 0,
  };
}

/** The ending of an agent that never ran. */
export function couldNotStart(error: unknown): Ending {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "ENOSPC" || code === "EDQUOT" ? "disk_full" : "spawn_failed";
  const message = `The agent could not be started: ${reasonOf(error)}.`;
  return neverRan({ reason, message });
}

/** The ending of an agent that was not started because it could not be confined. */
function notHeld(problem: string): Ending {
  return neverRan({ reason: "not_held", message: problem });
}

function neverRan({ reason, message }: Pick<Ending, "reason" | "message">): Ending {
  return { code: null, signal: null, reason, message, stoppedBackground: 0, left: [], cutBytes: 0 };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
