/** Runs one command to its end or its time limit, and keeps the head of what it says (seed 001 §5). */
import { err, ok, type Result } from "neverthrow";
import type { ExecOptions } from "../../../utils/exec.ts";
import { newId } from "../../../utils/ids.ts";
import type { Host } from "../../core/context.ts";
import { success, type ToolRefusal, type ToolSuccess } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { cutText } from "./cut_text.ts";
import { exitCodeOf } from "./exit_code.ts";
import { startCommand } from "./start_command.ts";
import { canceled, startRefusal } from "./start_refusal.ts";
import type { ExecCommandOutput } from "./types.ts";

export interface CommandToRun extends CallOptions {
  /** Absolute; where it runs. */
  readonly cwd: string;
  readonly command: readonly string[];
  readonly shellMode: "default" | "direct";
  readonly stdin: string | null;
  readonly timeoutMs: number;
  /** UTF-16 units of each stream. */
  readonly maxOutputChars: number;
  readonly host: Host;
  /** The whole environment of the command; the host's, as it is, unless told. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Between TERM and KILL. */
const GRACE_MS = 500;
/** How often a door is told how far a command is. */
const PROGRESS_MS = 1000;
/** What the shells and `timeout` answer when the time is over. */
const TIMED_OUT = 124;

/**
 * Settles when the command has ended or the limit and the grace are over, whatever its descendants do. One that ends and
 * leaves background processes is done; they are stopped, and counted in `meta.stopped_background`.
 */
export async function runCommand(
  options: CommandToRun,
): Promise<Result<ToolSuccess<ExecCommandOutput>, ToolRefusal>> {
  const { cwd, command, host, shellMode, maxOutputChars, signal, onProgress } = options;
  const began = Date.now();
  const env = options.env ?? host.environment();
  const search = { shellMode, cwd, env, platform: host.platform };
  const started = await startCommand(command, search, {
    cwd,
    env,
    stdin: options.stdin === null ? "none" : { text: options.stdin },
    timeoutMs: options.timeoutMs,
    graceMs: GRACE_MS,
    maxOutputBytes: bytesFor(maxOutputChars),
    // Found by this mark, a descendant that left for a session of its own is stopped too.
    marker: { name: "TAZUNA_EXEC", value: newId() },
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { watch: watchFor(onProgress) }),
  });
  if (started.isErr()) return err(started.error);
  const result = started.value;
  if (!result.started) return err(startRefusal(result.error, { shellMode, command }));
  if (result.canceled) return err(canceled("The call was canceled; its processes were stopped."));
  const stdout = cutText(result.stdout, maxOutputChars);
  const stderr = cutText(result.stderr, maxOutputChars);
  const data = {
    cwd,
    command: [...command],
    exit_code: result.timedOut ? TIMED_OUT : exitCodeOf(result),
    stdout: stdout.text,
    stderr: stderr.text,
    stdout_truncated: stdout.cut || result.stdoutTruncated,
    stderr_truncated: stderr.cut || result.stderrTruncated,
    timed_out: result.timedOut,
    duration_ms: Date.now() - began,
  };
  const stopped = result.stoppedBackground;
  return ok(success(data, stopped === 0 ? {} : { stopped_background: stopped }));
}

function watchFor(onProgress: NonNullable<CallOptions["onProgress"]>): NonNullable<ExecOptions["watch"]> {
  const tell: NonNullable<ExecOptions["watch"]>["tell"] = ({ elapsedMs, stdoutBytes, stderrBytes }) => {
    const seconds = elapsedMs / 1000;
    const message = `${seconds.toFixed(0)} s, ${stdoutBytes} bytes of stdout, ${stderrBytes} bytes of stderr`;
    onProgress({ progress: seconds, message });
  };
  return { everyMs: PROGRESS_MS, tell };
}

/** No UTF-16 unit comes from more than three bytes, so this keeps at least one character more than is returned. */
function bytesFor(chars: number): number {
  return (chars + 1) * 3 + 1;
}
