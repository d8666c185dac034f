/** Takes an agent's two streams: onto the disk, to the stall clock, and their heads to whoever has to know how it began. */
import { join } from "node:path";
import { createRedactor, secretValues } from "../domain/agent/redact.ts";
import { createOutputBuffer } from "../utils/output-buffer.ts";
import { type AgentLogOptions, createAgentLog } from "./agent-log.ts";
import { KEEPER_FILES, type KeeperOrder, type KeeperSpec } from "./files.ts";
import type { StopCauses } from "./stop-causes.ts";

/** What an agent does, as far as its lines were read: looked at whenever it was silent for too long. */
export interface Activity {
  /** How many of its tools run (or wait for an answer) now. A reader that is late with its lines counts on by itself. */
  readonly toolsRunning: number;
}

/** Reads one line of the agent's stdout. */
export type ActivityReader = (line: string) => Activity;

/** The first bytes of each stream, as text. */
export interface StreamHeads {
  readonly stdout: string;
  readonly stderr: string;
}

const HEAD_BYTES = 4096;

interface StreamOptions extends KeeperOrder {
  readonly dir: string;
  readonly activity: (executor: string) => ActivityReader;
}

export function openStreams(options: StreamOptions, spec: KeeperSpec, causes: StopCauses) {
  const { dir, env } = options;
  const values = [...secretValues(env, { names: spec.redactNames }), ...options.secrets];
  // Made for the first line: what it needs is loaded while the agent works, not before it starts.
  let reader: ActivityReader | null = null;
  let activity: Activity = { toolsRunning: 0 };
  let lost: Lost = {};
  const sawLife = () => causes.sawLife(activity);
  const open = (name: string, limit: AgentLogOptions["limit"], onLine: (line: string) => void) => {
    const redactor = createRedactor({ values });
    const onFull = (reason: string) => {
      lost = { reason: "disk_full", message: notStored(reason) };
      causes.diskFull(notStored(reason));
    };
    return withHead(createAgentLog({ path: join(dir, name), limit, redactor, onLine, onFull }));
  };
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
  const heads = (): StreamHeads => ({ stdout: out.head(), stderr: err.head() });
  return { out, err, sawInput: sawLife, close, heads, lost: () => lost };
}

/** Why what it said is not all there. */
type Lost = { readonly reason?: "disk_full" | "too_much_output"; readonly message?: string };

function withHead(log: ReturnType<typeof createAgentLog>) {
  const head = createOutputBuffer({ maxBytes: HEAD_BYTES });
  const write = (chunk: Uint8Array): void => {
    head.push(chunk);
    log.write(chunk);
  };
  return { write, close: log.close, head: head.text };
}

/** A line that its reader stumbles over says nothing about tools. */
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

function tooMuch(bytes: number): string {
  const kibibytes = Math.floor(bytes / 1024);
  const size = kibibytes < 1024 ? `${kibibytes} KiB` : `${Math.floor(kibibytes / 1024)} MiB`;
  return `The agent printed more than ${size} and was stopped.`;
}
