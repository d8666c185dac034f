/** Handles an agent's two streams: it stores them, feeds the stall clock, and keeps the beginning of each. */
import { join } from "node:path";
import { createRedactor } from "../domain/agent/redact.ts";
import { createOutputBuffer } from "../utils/files/output-buffer.ts";
import { type AgentLogOptions, createAgentLog } from "./agent-log.ts";
import type { Meaning } from "./cut-middle.ts";
import { KEEPER_FILES, type KeeperSpec } from "./files.ts";
import { createPlaces } from "./places.ts";
import type { StopCauses } from "./stop-causes.ts";
import { createTimes } from "./times.ts";

/** The agent's activity, as far as its lines were read. It is checked when the agent was silent for too long. */
export interface Activity {
  /** How many of its tools run (or wait for an answer) now. If its reader is behind, it catches up by itself. */
  readonly toolsRunning: number;
  /** The meaning of the last line that was read. */
  readonly meaning: Meaning;
}

/** Reads one line of the agent's stdout. */
export type ActivityReader = (line: string) => Activity;

/** The first bytes of each stream, as text. */
export interface StreamHeads {
  readonly stdout: string;
  readonly stderr: string;
}

const HEAD_BYTES = 4096;

interface StreamOptions {
  readonly dir: string;
  /** What must not reach the disk. */
  readonly secrets: readonly string[];
  readonly activity: (executor: string) => ActivityReader;
}

export function openStreams(options: StreamOptions, spec: KeeperSpec, causes: StopCauses) {
  const { dir, secrets: values } = options;
  // Made at the first line: its imports then load while the agent works, not before it starts.
  let reader: ActivityReader | null = null;
  let activity: Activity = QUIET;
  let lost: Lost = {};
  let answer: (line: string) => void = () => {};
  const sawLife = () => causes.sawLife(activity);
  const places = createPlaces(join(dir, KEEPER_FILES.places));
  const times = createTimes(join(dir, KEEPER_FILES.times));
  const open = (name: string, limit: number, on: Pick<AgentLogOptions, "onLine" | "onWrite">) => {
    const redactor = createRedactor({ values });
    const onFull = (reason: string) => {
      lost = { reason: "disk_full", message: notStored(reason) };
      causes.diskFull(notStored(reason));
    };
    const refuse = (line: string) => answer(line);
    return withHead(createAgentLog({ path: join(dir, name), limit, redactor, refuse, onFull, ...on }));
  };
  const out = open(KEEPER_FILES.out, spec.outBytes, {
    onWrite: times.note,
    onLine: (line) => {
      reader ??= options.activity(spec.executor);
      activity = activityAfter(reader, line) ?? { ...QUIET, toolsRunning: activity.toolsRunning };
      sawLife();
      return activity.meaning;
    },
  });
  const err = open(KEEPER_FILES.err, spec.errBytes, {
    onWrite: (offset) => places.note(offset, out.size()),
    onLine: () => {
      sawLife();
      return QUIET.meaning;
    },
  });
  const close = () => {
    out.close();
    err.close();
    places.close();
    times.close();
  };
  const heads = (): StreamHeads => ({ stdout: out.head(), stderr: err.head() });
  const cutBytes = () => out.cutBytes() + err.cutBytes();
  /** From now on, `write` sends a line to the agent. */
  const answerBy = (write: (line: string) => void) => {
    answer = write;
  };
  return { out, err, answerBy, sawInput: sawLife, close, heads, lost: () => lost, cutBytes };
}

/** No tool is known yet. */
const QUIET: Activity = { toolsRunning: 0, meaning: { matter: "tells", refusal: null } };

/** Why its output is incomplete. */
type Lost = { readonly reason?: "disk_full"; readonly message?: string };

function withHead(log: ReturnType<typeof createAgentLog>) {
  const head = createOutputBuffer({ maxBytes: HEAD_BYTES });
  const write = (chunk: Uint8Array): void => {
    head.push(chunk);
    log.write(chunk);
  };
  return { ...log, write, head: head.text };
}

/** A line that makes its reader throw says nothing about tools. */
function activityAfter(reader: ActivityReader, line: string): Activity | null {
  try {
    return reader(line);
  } catch {
    return null;
  }
}

export function notStored(reason: string): string {
  return `The agent's output could not be stored: ${reason}.`;
}
