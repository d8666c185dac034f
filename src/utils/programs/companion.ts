/** Starts a helper program that works beside another one, and ends when its owner ends it or dies. */
import { type Environment, startProcess } from "../exec.ts";
import { settlesWithin } from "../time/waiting.ts";

export type Companion =
  | { readonly started: true /** Resolves when it is gone. */; readonly end: () => Promise<void> }
  | { readonly started: false; readonly message: string };

/** A busy machine needs seconds for a task of milliseconds. */
const READY_MS = 30_000;
const END_MS = 2000;
const MAX_MESSAGE_LENGTH = 2000;

/**
 * The program prints a line once it is ready, and ends when its stdin ends. So it never outlives its owner, not even
 * a killed one. If `signal` aborts before it is ready, it is killed at once.
 */
export async function startCompanion(
  argv: readonly string[],
  { signal, ...options }: { readonly cwd: string; readonly env: Environment; readonly signal: AbortSignal },
): Promise<Companion> {
  const ready = Promise.withResolvers<void>();
  let words = "";
  const started = await startProcess(argv, {
    ...options,
    onStdout: () => ready.resolve(),
    onStderr: (bytes) => {
      words = (words + new TextDecoder().decode(bytes)).slice(0, MAX_MESSAGE_LENGTH);
    },
  });
  if (!started.started) return { started: false, message: started.error.message };
  const { process } = started;
  const end = async () => {
    process.endInput();
    if (!(await settlesWithin(END_MS, process.exited))) await process.killTree({ graceMs: 0 });
    await process.finish({ graceMs: 0 });
  };
  const canceled = aborted(signal);
  const first = Promise.race([
    ready.promise.then(() => true),
    process.exited.then(() => false),
    canceled.promise.then(() => false),
  ]);
  const isReady = (await settlesWithin(READY_MS, first)) && (await first);
  canceled.forget();
  if (isReady) return { started: true, end };
  if (signal.aborted) await process.killTree({ graceMs: 0 });
  await end();
  if (signal.aborted) return { started: false, message: `${argv[0] ?? ""} was stopped before it was ready` };
  return { started: false, message: words.trim() || `${argv[0] ?? ""} did not get ready` };
}

function aborted(signal: AbortSignal): { readonly promise: Promise<void>; readonly forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  return { promise, forget: () => signal.removeEventListener("abort", onAbort) };
}
