/** Starts one service and follows it to its end: its output, its state, and how to stop its tree. */
import { err, ok, type Result } from "neverthrow";
import { type Environment, type RunningProcess, type StartError, startProcess } from "../../utils/exec.ts";
import type { StoppedProcesses } from "../../utils/processes/kill-tree.ts";
import { systemClock } from "../../utils/time/clock.ts";
import { settlesWithin } from "../../utils/time/waiting.ts";
import { newId } from "../../utils/values/ids.ts";
import { exitCodeOf } from "../exec/exec_command/exit_code.ts";
import { createServiceLog, type LogStream, type ServiceLog } from "./service-log.ts";
import type { ServiceRecord } from "./service-record.ts";

interface ServiceRequest {
  readonly name: string;
  /** Absolute. */
  readonly cwd: string;
  /** The path by which the system reaches that folder. */
  readonly place: string;
  readonly command: readonly string[];
  /** The argv that is started for `command`. */
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly port: number | null;
}

export interface Service {
  readonly log: ServiceLog;
  record(): ServiceRecord;
  /** Marks that it has proved to be ready. */
  markReady(): void;
  hasEnded(): boolean;
  /** Settles when its program has ended, its remaining processes are stopped, and its output is fully read. */
  readonly ended: Promise<void>;
  /** Stops the whole tree. Returns how many processes were stopped, and how many still live after KILL. */
  stop(options: { readonly graceMs: number }): Promise<{ readonly stopped: number; readonly left: number }>;
}

/** UTF-16 units of both streams together. */
const LOG_CHARS = 1024 * 1024;
/** For processes that remain when a service ends by itself. */
const GRACE_MS = 500;
/** For the end of the output after a kill. Only a process that is stuck in the kernel needs longer. */
const END_MS = 1000;

export async function startService(request: ServiceRequest): Promise<Result<Service, StartError>> {
  const log = createServiceLog({ maxChars: LOG_CHARS });
  const [stdout, stderr] = [textOf(log, "stdout"), textOf(log, "stderr")];
  const started = await startProcess(request.argv, {
    cwd: request.place,
    env: request.env,
    // By this mark, processes that moved to another session are found and stopped too.
    marker: { name: "TAZUNA_EXEC", value: newId() },
    onStdout: stdout.push,
    onStderr: stderr.push,
  });
  if (!started.started) return err(started.error);
  started.process.endInput();
  return ok(
    tendService(request, started.process, {
      log,
      flush: () => {
        stdout.end();
        stderr.end();
      },
    }),
  );
}

/** Bytes of one stream as text in the log, never half a character. */
function textOf(log: ServiceLog, stream: LogStream) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    push: (chunk: Uint8Array) => log.push(stream, decoder.decode(chunk, { stream: true })),
    end: () => log.push(stream, decoder.decode()),
  };
}

function tendService(
  { name, cwd, command, port }: ServiceRequest,
  process: RunningProcess,
  { log, flush }: { readonly log: ServiceLog; flush(): void },
): Service {
  const startedAt = systemClock.iso();
  let status: ServiceRecord["status"] = "starting";
  let end: { readonly code: number; readonly at: string } | null = null;
  let isToldToStop = false;
  /** How many processes lived on at the last stop. */
  let left = 0;
  let killing: Promise<StoppedProcesses> | null = null;

  const ended = (async () => {
    const exit = await process.exited;
    // On a stop, a shell around the service ends at once, while the service itself may still shut down.
    await killing;
    await process.finish({ graceMs: GRACE_MS });
    flush();
    end = { code: exitCodeOf(exit), at: systemClock.iso() };
    status = isToldToStop ? "stopped" : "exited";
  })();

  /** The service is asked to stop once. A later caller waits for that at most its own grace, and then kills at once. */
  const kill = async ({ graceMs }: { readonly graceMs: number }): Promise<StoppedProcesses> => {
    if (killing !== null && left === 0 && (await settlesWithin(graceMs, killing))) return killing;
    killing = process.killTree({ graceMs: killing === null ? graceMs : 0 });
    return killing;
  };

  const stop: Service["stop"] = async (options) => {
    if (end !== null && left === 0) return { stopped: 0, left: 0 };
    isToldToStop = true;
    const became = await kill(options);
    left = became.left.length;
    await settlesWithin(END_MS, ended);
    return { stopped: became.stopped.length, left };
  };

  return {
    log,
    record: () => ({
      name,
      status,
      pid: process.pid,
      cwd,
      command: [...command],
      port,
      exit_code: end?.code ?? null,
      started_at: startedAt,
      ended_at: end?.at ?? null,
    }),
    markReady: () => {
      if (end === null) status = "running";
    },
    hasEnded: () => end !== null,
    ended,
    stop,
  };
}
