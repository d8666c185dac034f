/** Connects the command line to the real terminal: streams, signals, files, time. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { WriteStream } from "node:tty";
import type { Output, Terminal } from "../../cli/shared/terminal.ts";
import { openInBrowser } from "./open-in-browser.ts";
import { readInput } from "./read-input.ts";
import type { Settings } from "./settings.ts";

export function createTerminal(settings: Settings): Terminal {
  const { env } = settings;
  const cwd = process.cwd();
  let inputIsRead = false;
  return {
    stdout: outputOf(process.stdout, env),
    stderr: outputOf(process.stderr, env),
    get prompt() {
      const isThere = process.stdin.isTTY && process.stderr.isTTY && !inputIsRead;
      return isThere ? { input: process.stdin, output: process.stderr } : null;
    },
    cwd,
    absolute: (path) => resolve(cwd, path),
    isFolder: (path) => isFolder(resolve(cwd, path)),
    readInput: (source, max) => {
      // After its end, stdin gives no input: a question would never end, and would not hear Ctrl-C.
      if (source === "stdin") inputIsRead = true;
      return readInput(source, max);
    },
    onInterrupt: (listener) => {
      for (const name of SIGNALS) process.on(name, listener);
      return () => {
        for (const name of SIGNALS) process.off(name, listener);
      };
    },
    openUrl: (url) => openInBrowser(url, env),
    now: Date.now,
    every: (ms, act) => {
      const timer = setInterval(act, ms);
      return () => clearInterval(timer);
    },
  };
}

/** Also true if the path cannot be examined. The request that follows then reports why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return true;
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

function outputOf(stream: WriteStream, env: Readonly<Record<string, string>>): Output {
  const isTerminal = stream.isTTY === true;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that stops early (`| head`) is no fault, and neither is progress that cannot be shown. The command
    // ends as usual.
    if (error.code === "EPIPE" || stream !== process.stdout) return;
    process.stderr.write(
      `tazuna: The output cannot be written (${error.code ?? error.message}). Runs go on. Mend the place that the output goes to.\n`,
    );
    process.exit(1);
  });
  return {
    write: (text) => {
      stream.write(text);
    },
    // The listener above hears that a reader has gone; then nothing waits any more.
    writeBytes: (bytes) => new Promise((resolve) => stream.write(bytes, () => resolve())),
    isTerminal,
    colour: isTerminal && !env.NO_COLOR && env.TERM !== "dumb",
    size: () => ({ columns: stream.columns || 80, rows: stream.rows || 24 }),
  };
}
