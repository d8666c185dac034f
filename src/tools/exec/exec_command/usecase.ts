/** Runs one command to its end or time limit, and keeps the beginning of its output (seed 001 §3.1, §5). */
import { err, ok, type Result } from "neverthrow";
import { type ExecOptions, type ExecResult, exec, type StartError } from "../../../utils/exec.ts";
import { newId } from "../../../utils/values/ids.ts";
import type { Host } from "../../core/context.ts";
import { holdFolder } from "../../core/hold-folder.ts";
import { success, type ToolRefusal, type ToolSuccess } from "../../core/result.ts";
import type { CallOptions } from "../../core/tool.ts";
import { cutText } from "./cut_text.ts";
import { exitCodeOf } from "./exit_code.ts";
import type { ProgramSearch } from "./find_program.ts";
import { resolveCommand } from "./resolve_command.ts";
import { canceled, startRefusal } from "./start_refusal.ts";
import type { ExecCommandOutput } from "./types.ts";

interface CommandToRun extends CallOptions {
  /** Absolute; the folder in which it runs. */
  readonly cwd: string;
  /** The workspace that `cwd` must still be in when the command starts. Not checked by default. */
  readonly within?: string;
  readonly command: readonly string[];
  readonly shellMode: "default" | "direct";
  readonly stdin: string | null;
  readonly timeoutMs: number;
  /** UTF-16 units of each stream. */
  readonly maxOutputChars: number;
  readonly host: Host;
  /** The whole environment of the command. Null means the environment of the host, unchanged. */
  readonly env: Readonly<Record<string, string | undefined>> | null;
}

/** Between TERM and KILL. */
const GRACE_MS = 500;
/** How often the caller receives the progress of a command. */
const PROGRESS_MS = 1000;
/** The exit code of shells and `timeout` for an expired time limit. */
const TIMED_OUT = 124;

/**
 * Settles when the command has ended, or when the limit and the grace are over. Descendants do not delay that. A
 * command that ends and leaves background processes is done. They are stopped, and counted in
 * `meta.stopped_background`.
 */
export async function runCommand(
  options: CommandToRun,
): Promise<Result<ToolSuccess<ExecCommandOutput>, ToolRefusal>> {
  const { cwd, command, host, shellMode, maxOutputChars, signal, onProgress } = options;
  const began = Date.now();
  const env = options.env ?? host.environment();
  const search = { shellMode, cwd, env, platform: host.platform };
  const held = options.within === undefined ? ok(null) : holdFolder(options.within, cwd);
  if (held.isErr()) return err(held.error);
  const started = await startCommand(command, search, {
    cwd: held.value?.path ?? cwd,
    env,
    stdin: options.stdin === null ? "none" : { text: options.stdin },
    timeoutMs: options.timeoutMs,
    graceMs: GRACE_MS,
    maxOutputBytes: bytesFor(maxOutputChars),
    // By this mark, a descendant that moved to another session is found and stopped too.
    marker: { name: "TAZUNA_EXEC", value: newId() },
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { watch: watchFor(onProgress) }),
  }).finally(() => held.value?.close());
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

/** A UTF-16 unit comes from at most three bytes. So this keeps at least one character more than is returned. */
function bytesFor(chars: number): number {
  return (chars + 1) * 3 + 1;
}

type CommandSearch = ProgramSearch & { readonly shellMode: "default" | "direct" };

/** The end of the command, or why no program of that name can be run. */
async function startCommand(
  command: readonly string[],
  search: CommandSearch,
  options: ExecOptions,
): Promise<Result<ExecResult, ToolRefusal>> {
  if (isLeftToSystem(command, search)) {
    const result = await exec(command, options);
    if (result.started || !NOT_FOUND.has(result.error.kind)) return ok(result);
  }
  const argv = resolveCommand(command, search);
  return argv.isErr() ? err(argv.error) : ok(await exec(argv.value, options));
}

/** Start errors after which a search along PATH may find the program or give a better message. */
const NOT_FOUND: ReadonlySet<StartError["kind"]> = new Set(["not_found", "not_executable"]);

/**
 * If every folder of PATH is absolute, the system's own search at the start finds the same program. Our search took
 * a tenth of a small command's time.
 */
function isLeftToSystem(
  [program = ""]: readonly string[],
  { shellMode, platform, env }: CommandSearch,
): boolean {
  if (shellMode !== "direct" || platform === "win32" || program.includes("/")) return false;
  return /^\/[^:]*(?::\/[^:]*)*$/.test(env.PATH ?? "");
}
