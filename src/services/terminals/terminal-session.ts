/** Joins the host of a terminal to its reader. The shell, the reader or a person ends it. */
import { formatMessage } from "../../keeper/terminal/messages.ts";
import type { RunningProcess } from "../../utils/exec.ts";
import { settlesWithin } from "../../utils/time/waiting.ts";
import type { OpenTerminal, TerminalReader } from "../core/open-terminal.ts";
import type { createOutputWindow } from "./output-window.ts";

interface SessionOptions {
  readonly of: Pick<OpenTerminal, "attemptId" | "outside">;
  readonly host: RunningProcess;
  readonly output: ReturnType<typeof createOutputWindow>;
  /** How long it may be without a reader. */
  readonly absentMs: number;
  /** Called once, when no process of it is left. */
  readonly onGone: () => Promise<void>;
  /** Called once, when nobody can read of it any more. */
  readonly onForgotten: () => void;
}

/** The host stops its shell first. Only one that is stuck is killed. */
const HOST_ENDS_MS = 3_000;

export function createSession(options: SessionOptions): OpenTerminal {
  const { host, output } = options;
  let closed: { readonly code: number | null } | null = null;
  let current = 0;
  let ending: Promise<void> | null = null;
  const gone = leave(options).then((code) => {
    closed = { code };
    output.wake();
  });

  const end = async (): Promise<void> => {
    output.discard();
    host.endInput();
    if (!(await settlesWithin(HOST_ENDS_MS, host.exited))) await host.killTree({ graceMs: 0 });
    await gone;
    clearTimeout(absent);
    options.onForgotten();
  };
  const endOnce = () => {
    ending ??= end();
    return ending;
  };
  const waitForReader = () => setTimeout(() => void endOnce(), options.absentMs);
  let absent = waitForReader();

  const readerOf = (number: number): TerminalReader => ({
    next: async (after, { waitMs, signal }) => {
      if (number !== current) return { kind: "replaced" };
      let piece = output.take(after);
      if (piece.bytes.length === 0 && closed === null) {
        await output.change(waitMs, signal);
        if (number !== current) return { kind: "replaced" };
        piece = output.take(after);
      }
      if (piece.bytes.length > 0) return { kind: "output", ...piece };
      if (closed === null) return { kind: "nothing" };
      void endOnce();
      return { kind: "ended", ...closed };
    },
    leave: () => {
      if (number !== current || ending !== null) return;
      clearTimeout(absent);
      absent = waitForReader();
    },
  });
  return {
    ...options.of,
    write: (text) => host.write(formatMessage({ input: text })),
    resize: ({ columns, rows }) => host.write(formatMessage({ size: { columns, rows } })),
    read: () => {
      clearTimeout(absent);
      current += 1;
      output.wake();
      return readerOf(current);
    },
    end: endOnce,
  };
}

/** Settles when the shell has ended, its output is taken, and nothing of it is left. Returns its exit code. */
async function leave({ host, onGone }: SessionOptions): Promise<number | null> {
  const { code } = await host.exited;
  await host.finish({ graceMs: 0 });
  await onGone();
  return code;
}
