/** Waits until a service is ready: it listens on its port, has printed a text, or has lived long enough. */
import { sleep } from "../../utils/time/waiting.ts";
import type { CallOptions } from "../core/tool.ts";
import { isListening } from "./loopback-port.ts";
import type { Service } from "./service.ts";
import type { LogStream, ServiceLog } from "./service-log.ts";

interface Readiness extends CallOptions {
  /** Null if it does not matter. If both are given, both are waited for. */
  readonly port: number | null;
  readonly text: string | null;
  /** Without port and text: how long it must live. Nothing else is waited for. */
  readonly aliveMs: number;
  /** For port and text. */
  readonly timeoutMs: number;
}

export type ReadyOutcome = "ready" | "ended" | "late" | "canceled";

const KNOCK_EVERY_MS = 50;
const PROGRESS_MS = 1000;

/** The first outcome counts. A service that ends is never ready. */
export async function untilReady(service: Service, wanted: Readiness): Promise<ReadyOutcome> {
  const { signal, onProgress, port, text, timeoutMs } = wanted;
  const { promise, resolve } = Promise.withResolvers<ReadyOutcome>();
  const over = new AbortController();
  const began = performance.now();
  const mayBeLate = port !== null || text !== null;
  const timer = mayBeLate ? setTimeout(resolve, timeoutMs, "late") : undefined;
  const telling = onProgress && setInterval(() => onProgress(progressOf(wanted, began)), PROGRESS_MS);
  const onAbort = () => resolve("canceled");
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  void service.ended.then(() => resolve("ended"));
  void proofs(service.log, wanted, over.signal).then(() => resolve("ready"));
  try {
    const outcome = await promise;
    return outcome === "ready" && service.hasEnded() ? "ended" : outcome;
  } finally {
    over.abort();
    clearTimeout(timer);
    clearInterval(telling);
    signal?.removeEventListener("abort", onAbort);
  }
}

async function proofs(log: ServiceLog, { port, text, aliveMs }: Readiness, over: AbortSignal): Promise<void> {
  if (port === null && text === null) return sleep(aliveMs);
  await Promise.all([
    text === null ? null : untilLogged(log, text, over),
    port === null ? null : listening(port, over),
  ]);
}

async function listening(port: number, over: AbortSignal): Promise<void> {
  while (!over.aborted && !(await isListening(port))) await sleep(KNOCK_EVERY_MS);
}

/** Settles when the text appears in either stream, in one piece or in several. Earlier output counts too. */
function untilLogged(log: ServiceLog, text: string, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const rest: Record<LogStream, string> = { stdout: "", stderr: "" };
    const hear = (stream: LogStream, more: string): void => {
      const heard = rest[stream] + more;
      if (heard.includes(text)) {
        deafen();
        resolve();
      }
      rest[stream] = heard.slice(Math.max(0, heard.length - text.length + 1));
    };
    const deafen = log.listen(hear);
    over.addEventListener("abort", deafen);
    for (const stream of ["stdout", "stderr"] as const)
      hear(stream, log.read({ stream, after: 0, maxChars: Number.MAX_SAFE_INTEGER }).text);
  });
}

function progressOf(
  { port, text }: Readiness,
  began: number,
): { readonly progress: number; readonly message: string } {
  const seconds = (performance.now() - began) / 1000;
  const what = [port === null ? [] : `port ${port}`, text === null ? [] : JSON.stringify(text)].flat();
  const waited = what.length === 0 ? "" : `, waiting for ${what.join(" and ")}`;
  return { progress: seconds, message: `${seconds.toFixed(0)} s${waited}` };
}
