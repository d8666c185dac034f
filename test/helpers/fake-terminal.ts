/** Plays a terminal for the command line: keeps what was written, and is pressed by the test. */
import { resolve } from "node:path";
import { PassThrough } from "node:stream";
import { ok } from "neverthrow";
import { readInput } from "../../src/app/process/read-input.ts";
import type { Terminal } from "../../src/cli/shared/terminal.ts";

export interface FakeTerminal extends Terminal {
  out(): string;
  err(): string;
  /** Presses Ctrl-C. */
  interrupt(): void;
  /** How many listen for Ctrl-C now. */
  listeners(): number;
  /** Types into the prompt. */
  type(keys: string): void;
  readonly opened: string[];
  /** Every write to stderr, one by one. */
  readonly writes: string[];
  resize(columns: number, rows?: number): void;
}

export interface FakeTerminalOptions {
  readonly stdout?: "terminal" | "pipe";
  readonly stderr?: "terminal" | "pipe";
  /** Whether a person can be asked. */
  readonly asks?: boolean;
  readonly colour?: boolean;
  readonly cwd?: string;
  /** Folders that are there, as a command would name them. */
  readonly folders?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly now?: () => number;
  /** Instead of real timers. */
  readonly every?: Terminal["every"];
  /** What standard input holds. */
  readonly stdin?: string;
}

export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const { colour = false, cwd = "/home/me/shop" } = options;
  const interrupts = new Set<() => void>();
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  const opened: string[] = [];
  const writes: string[] = [];
  let size = { columns: options.columns ?? 100, rows: options.rows ?? 30 };
  let stdout = "";
  let stderr = "";
  output.on("data", (chunk) => {
    stderr += chunk;
  });
  return {
    stdout: {
      write: (text) => {
        stdout += text;
      },
      writeBytes: async (bytes) => {
        stdout += new TextDecoder().decode(bytes);
      },
      isTerminal: options.stdout === "terminal",
      colour,
      size: () => size,
    },
    stderr: {
      write: (text) => {
        stderr += text;
        writes.push(text);
      },
      writeBytes: async (bytes) => {
        stderr += new TextDecoder().decode(bytes);
      },
      isTerminal: options.stderr === "terminal",
      colour,
      size: () => size,
    },
    prompt: options.asks ? { input, output } : null,
    cwd,
    absolute: (path) => resolve(cwd, path),
    isFolder: (path) => options.folders?.includes(path) === true,
    readInput: async (source, max) =>
      source === "stdin" ? ok(new TextEncoder().encode(options.stdin ?? "")) : readInput(source, max),
    onInterrupt(listener) {
      interrupts.add(listener);
      return () => interrupts.delete(listener);
    },
    openUrl: async (url) => {
      opened.push(url);
      return true;
    },
    now: options.now ?? Date.now,
    every:
      options.every ??
      ((ms, act) => {
        const timer = setInterval(act, ms);
        return () => clearInterval(timer);
      }),
    out: () => stdout,
    err: () => stderr,
    interrupt() {
      for (const listener of [...interrupts]) listener();
    },
    listeners: () => interrupts.size,
    type: (keys) => void input.write(keys),
    opened,
    writes,
    resize(columns, rows = size.rows) {
      size = { columns, rows };
    },
  };
}
