/** Starts a program that works beside another one, and ends when whoever started it lets go of it or dies. */
import { type Environment, startProcess } from "./exec.ts";
import { settlesWithin } from "./waiting.ts";

export type Beside =
  | { readonly started: true /** Resolves when it is gone. */; readonly end: () => Promise<void> }
  | { readonly started: false; readonly message: string };

/** A busy machine needs seconds for what takes milliseconds elsewhere. */
const READY_MS = 30_000;
const END_MS = 2000;
const MOST_WORDS = 2000;

/** The program says a line once it is ready, and ends when its stdin does: so it outlives nobody, not even a process that is killed. */
export async function startBeside(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: Environment },
): Promise<Beside> {
  const ready = Promise.withResolvers<void>();
  let words = "";
  const started = await startProcess(argv, {
    ...options,
    onStdout: () => ready.resolve(),
    onStderr: (bytes) => {
      words = (words + new TextDecoder().decode(bytes)).slice(0, MOST_WORDS);
    },
  });
  if (!started.started) return { started: false, message: started.error.message };
  const { process } = started;
  const end = async () => {
    process.endInput();
    if (!(await settlesWithin(END_MS, process.exited))) await process.killTree({ graceMs: 0 });
    await process.finish({ graceMs: 0 });
  };
  const first = Promise.race([ready.promise.then(() => true), process.exited.then(() => false)]);
  const isReady = (await settlesWithin(READY_MS, first)) && (await first);
  if (isReady) return { started: true, end };
  await end();
  return { started: false, message: words.trim() || `${argv[0] ?? ""} did not get ready` };
}
