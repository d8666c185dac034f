/** Lends the command line the real terminal: streams, signals, files, time. */
import { resolve } from "node:path";
import type { WriteStream } from "node:tty";
import type { Output, Terminal } from "../cli/terminal.ts";
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
    readInput: (source, most) => {
      // Read to its end, it hears nothing any more: a question would wait for ever, deaf to Ctrl-C too.
      if (source === "stdin") inputIsRead = true;
      return readInput(source, most);
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

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

function outputOf(stream: WriteStream, env: Readonly<Record<string, string>>): Output {
  const isTerminal = stream.isTTY === true;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) is no fault, nor is progress that nobody can see: the command ends as it would have.
    if (error.code === "EPIPE" || stream !== process.stdout) return;
    process.stderr.write(
      `tazuna: The output cannot be written (${error.code ?? error.message}). Runs go on; see to the place that the output goes to.\n`,
    );
    process.exit(1);
  });
  return {
    write: (text) => {
      stream.write(text);
    },
    isTerminal,
    colour: isTerminal && !env.NO_COLOR && env.TERM !== "dumb",
    size: () => ({ columns: stream.columns || 80, rows: stream.rows || 24 }),
  };
}
