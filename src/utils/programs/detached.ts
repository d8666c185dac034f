/** Starts programs that outlive this process: in their own session, without any of its open files. */
import { type Environment, launch, type Slot, type Started } from "../exec.ts";
import { settlesWithin } from "../time/waiting.ts";

interface DetachedOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** Absolute paths of files for stdout and stderr: appended to, made with mode 0600. */
  readonly stdoutFile: string;
  readonly stderrFile: string;
}

/** Starts a program in its own session that outlives this process and holds none of its files open. */
export async function startDetached(
  argv: readonly string[],
  options: DetachedOptions,
): Promise<Started<{ pid: number }>> {
  const launched = await launch(argv, options, ["ignore", ...appendedTo(options)]);
  if (!launched.started) return launched;
  launched.child.unref();
  return { started: true, pid: launched.child.pid };
}

/** How long a detached program may take to read its input. */
const INPUT_MS = 5000;

/** A detached program that reads its stdin to the end before it begins. */
export interface WaitingProcess {
  readonly pid: number;
  /**
   * Sends the input, which may stand neither in an argv nor in a file. False if the program surely does not read it:
   * it has ended, or was sent away.
   */
  give(input: string): Promise<boolean>;
  /** Closes its stdin without input. The same happens if this process ends first. */
  sendAway(): void;
}

export type StartedWaiting = Started<{ process: WaitingProcess }>;

/** Starts a program before its input is known. From `give` on, it is like one that `startDetached` started. */
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
