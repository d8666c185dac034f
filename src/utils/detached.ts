/** Starts programs that outlive us: in a session of their own, with nothing of ours open. */
import { type Environment, launch, type Slot, type StartError } from "./exec.ts";
import { settlesWithin } from "./waiting.ts";

export interface DetachedOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** Absolute files that take stdout and stderr, appended to, made with mode 0600. */
  readonly stdoutFile: string;
  readonly stderrFile: string;
}

export type StartedDetached =
  | { readonly started: true; readonly pid: number }
  | { readonly started: false; readonly error: StartError };

/** Starts a program in a session of its own that outlives us and holds nothing of ours open. */
export async function startDetached(
  argv: readonly string[],
  options: DetachedOptions,
): Promise<StartedDetached> {
  const launched = await launch(argv, options, ["ignore", ...appendedTo(options)]);
  if (!launched.started) return launched;
  launched.child.unref();
  return { started: true, pid: launched.child.pid };
}

/** How long a detached program may take to read what it is given. */
const INPUT_MS = 5000;

/** A detached program that reads its stdin to the end before it begins. */
export interface WaitingProcess {
  readonly pid: number;
  /**
   * Hands over what it waits for, which may stand neither in an argv nor in a file. False where it is known that nobody
   * reads it: the program has ended, or was sent away.
   */
  give(input: string): Promise<boolean>;
  /** Lets it read nothing. The same happens when we end without a word. */
  sendAway(): void;
}

export type StartedWaiting =
  | { readonly started: true; readonly process: WaitingProcess }
  | { readonly started: false; readonly error: StartError };

/** Starts a program ahead of its input; from `give` on it is as one that `startDetached` started. */
export async function startWaiting(
  argv: readonly string[],
  options: DetachedOptions,
): Promise<StartedWaiting> {
  const launched = await launch(argv, options, ["pipe", ...appendedTo(options)]);
  if (!launched.started) return launched;
  const { child } = launched;
  child.unref();
  let waits = true;
  void child.ended.then(() => {
    waits = false;
  });
  const end = async (input: string): Promise<boolean> => {
    const heard = waits && child.stdin !== null;
    waits = false;
    if (heard) await settlesWithin(INPUT_MS, child.stdin.end(input));
    return heard;
  };
  return {
    started: true,
    process: { pid: child.pid, give: end, sendAway: () => void end("") },
  };
}

function appendedTo(options: DetachedOptions): [Slot, Slot] {
  return [
    { path: options.stdoutFile, flags: "a" },
    { path: options.stderrFile, flags: "a" },
  ];
}
