/** Holds one terminal: a shell in a pseudo-terminal, at the pace of its reader, until the shell or its owner ends. */
import { writeSync } from "node:fs";
import { localProcesses, type Orphans, startInTerminal } from "../../utils/exec.ts";
import { createOutputBuffer } from "../../utils/files/output-buffer.ts";
import { stopTree } from "../../utils/processes/kill-tree.ts";
import { settlesWithin } from "../../utils/time/waiting.ts";
import { adoptOrphans } from "../adopt-orphans.ts";
import {
  parseMessage,
  parseOrder,
  TERMINAL_MARKER,
  type TerminalOrder,
  type TerminalSize,
} from "./messages.ts";

interface HostOptions {
  /** What the owner writes; they end when it is gone. */
  readonly lines: AsyncIterator<string, undefined>;
  /** Gives `start` the current command of a confined shell, perhaps more than once. */
  readonly held: <End extends ShellEnd>(
    argv: readonly string[],
    start: (argv: readonly string[]) => Promise<End>,
  ) => Promise<
    { readonly started: true; readonly end: End } | { readonly started: false; readonly problem: string }
  >;
}

interface ShellEnd {
  readonly code: number | null;
  /** A terminal has one stream: its beginning counts as stderr. */
  readonly stdout: "";
  readonly stderr: string;
}

/** Enough to recognize the message of a sandbox that could not be made. */
const HEAD_BYTES = 4096;
/** Between TERM and KILL. A hung-up shell ends at once. */
const GRACE_MS = 300;
/** How long the last output may take after the end of every process. */
const LAST_OUTPUT_MS = 500;

const KILLED = 137;
const NOT_STARTED = 126;
const NOT_ORDERED = 4;

/** Returns the exit code of the shell. No process of it is left then. */
export async function hostTerminal({ lines, held }: HostOptions): Promise<number> {
  process.on("SIGHUP", () => {});
  const orphans = adoptOrphans();
  const order = parseOrder((await lines.next()).value);
  if (order === null) return NOT_ORDERED;
  const owner = followOwner(lines, order.size);
  const start = (argv: readonly string[]) => runShell({ ...order, argv }, { owner, orphans });
  const shell = await held(order.argv, start).catch(notStarted);
  if (shell.started) return shell.end.code ?? KILLED;
  print(Buffer.from(`${shell.problem}\r\n`));
  return NOT_STARTED;
}

function notStarted(error: unknown): { readonly started: false; readonly problem: string } {
  const reason = error instanceof Error ? error.message : String(error);
  return { started: false, problem: `The shell could not be started: ${reason}` };
}

interface Owner {
  /** Settles when it writes no more, or reads no more. */
  readonly gone: Promise<void>;
  lose(): void;
  /** The terminal that gets what a person types from now on. */
  connect(terminal: Bun.Terminal): void;
  size(): TerminalSize;
}

function followOwner(lines: HostOptions["lines"], first: TerminalSize): Owner {
  const { promise: gone, resolve: lose } = Promise.withResolvers<void>();
  let size = first;
  let connected: Bun.Terminal | null = null;
  const follow = async () => {
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
      const message = parseMessage(line.value);
      if ("input" in message) connected?.write(message.input);
      else {
        size = message.size;
        connected?.resize(size.columns, size.rows);
      }
    }
  };
  // A line that cannot be read, or a terminal that is closed: there is nothing to go on with.
  follow().then(lose, lose);
  return {
    gone,
    lose,
    size: () => size,
    connect: (terminal) => {
      connected = terminal;
    },
  };
}

async function runShell(
  order: TerminalOrder,
  { owner, orphans }: { readonly owner: Owner; readonly orphans: Orphans | null },
): Promise<ShellEnd> {
  const head = createOutputBuffer({ maxBytes: HEAD_BYTES });
  const { promise: allPrinted, resolve: printed } = Promise.withResolvers<void>();
  const { columns, rows } = owner.size();
  const { argv, cwd } = order;
  const marker = { name: TERMINAL_MARKER, value: order.id };
  const shell = startInTerminal(argv, {
    cwd,
    env: { ...order.env, TERM: "xterm-256color", [marker.name]: marker.value },
    terminal: {
      cols: columns,
      rows,
      name: "xterm-256color",
      data: (_, bytes) => {
        head.push(bytes);
        if (!print(bytes)) owner.lose();
      },
      exit: () => printed(),
    },
  });
  const { terminal } = shell;
  if (terminal === undefined) throw new Error("the runtime gave no terminal");
  owner.connect(terminal);
  let code: number | null = null;
  let ended = false;
  const end = shell.ended.then((how) => {
    ({ code } = how);
    ended = true;
  });
  await Promise.race([end, owner.gone]);
  // A hung-up shell tells its jobs too.
  if (!ended) terminal.close();
  const root = { pid: shell.pid, ended: () => ended };
  await stopTree({ root, marker, orphans }, { graceMs: GRACE_MS }, localProcesses);
  await settlesWithin(LAST_OUTPUT_MS, allPrinted);
  terminal.close();
  return { code, stdout: "", stderr: head.text() };
}

const FULL_MS = 2;

/**
 * Waits as long as the reader takes nothing: meanwhile nothing is read from the terminal, so its programs wait too.
 * False if there is no reader any more.
 */
function print(bytes: Uint8Array): boolean {
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(1, bytes, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return false;
      Bun.sleepSync(FULL_MS);
    }
  }
  return true;
}
