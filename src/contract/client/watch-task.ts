/** Watches one task until a condition holds, and goes on after an engine ends and another starts. */
import { err, ok, type Result } from "neverthrow";
import type { FactDocument } from "../endpoints/operations.ts";
import type { ApiError } from "../problem.ts";
import type { TaskDocument } from "../task-document.ts";
import type { Client } from "./client.ts";
import { pause } from "./pause.ts";
import type { SteadyClient } from "./steady-client.ts";

const MAX_LOSSES_IN_A_ROW = 5;
const MIN_POLL_MS = 100;
/** A look without a fact: the condition may depend on the time too. */
const MAX_POLL_MS = 5000;
/** Facts that change only the last action and the cost in the task's document. */
const PASSING = ["run.action", "run.usage"];

interface WatchTask<E> {
  readonly engine: SteadyClient<E>;
  readonly task: string;
  readonly until: (document: TaskDocument) => boolean;
  readonly onDocument: (document: TaskDocument) => void;
  readonly onFact: (fact: FactDocument) => void;
  /** Ends the watch before `until` holds. */
  readonly signal: AbortSignal;
}

/** The document for which `until` held; null after the signal. Facts say when to look; only the document decides. */
export async function watchTask<E>(options: WatchTask<E>): Promise<Result<TaskDocument | null, E>> {
  const seen: Seen = { seq: null };
  for (let losses = 0; losses <= MAX_LOSSES_IN_A_ROW; losses += 1) {
    if (options.signal.aborted) return ok(null);
    const client = await options.engine.client();
    if (client.isErr()) return err(client.error);
    const before = seen.seq;
    const end = await watchWith(client.value, options, seen);
    if (end !== "lost") return end;
    options.engine.lost(client.value);
    if (seen.seq !== before) losses = 0;
    await pause(100 * losses, options.signal);
  }
  return err(options.engine.refused(engineLost(options.task)));
}

interface Seen {
  /** The number of the last fact; later facts were not seen yet. */
  seq: number | null;
}

/** Null after the signal. */
type WatchEnd<E> = Result<TaskDocument | null, E> | "lost";

function watchWith<E>(client: Client, options: WatchTask<E>, seen: Seen): Promise<WatchEnd<E>> {
  const stop = new AbortController();
  const end = () => stop.abort();
  options.signal.addEventListener("abort", end);
  const watch = new Promise<WatchEnd<E>>((resolve, reject) => {
    const check = createCheck(client, options, { signal: stop.signal, resolve, reject });
    const again = setInterval(check, MAX_POLL_MS);
    stop.signal.addEventListener("abort", () => clearInterval(again));
    client
      .followFacts({
        after: seen.seq,
        signal: stop.signal,
        retries: 0,
        onOpen: (seq) => {
          seen.seq = seq;
          check();
        },
        onFact: (fact) => {
          seen.seq = fact.seq;
          if (fact.task !== options.task) return;
          options.onFact(fact);
          if (!PASSING.includes(fact.kind)) check();
        },
      })
      .then((stream) => {
        if (stream.reason === "aborted") return resolve(ok(null));
        const refused = stream.reason === "lost" && stream.error.kind !== "unreachable" ? stream.error : null;
        resolve(refused === null ? "lost" : err(options.engine.refused(refused)));
      })
      .catch(reject);
  });
  return watch.finally(() => {
    options.signal.removeEventListener("abort", end);
    stop.abort();
  });
}

/** Looks at the task, and once more if a request came during a look. There is a pause between two looks. */
function createCheck<E>(
  client: Client,
  options: WatchTask<E>,
  to: {
    readonly signal: AbortSignal;
    readonly resolve: (end: WatchEnd<E>) => void;
    readonly reject: (cause: unknown) => void;
  },
): () => void {
  let wanted = false;
  let looking = false;
  const run = async () => {
    looking = true;
    while (wanted && !to.signal.aborted) {
      wanted = false;
      const document = await client.task(options.task);
      if (to.signal.aborted) break;
      if (document.isErr())
        return to.resolve(
          document.error.kind === "unreachable" ? "lost" : err(options.engine.refused(document.error)),
        );
      options.onDocument(document.value);
      if (options.until(document.value)) return to.resolve(ok(document.value));
      await pause(MIN_POLL_MS, to.signal);
    }
    looking = false;
  };
  return () => {
    wanted = true;
    if (!looking) run().catch(to.reject);
  };
}

function engineLost(task: string): ApiError {
  return {
    kind: "failed",
    code: "engine_lost",
    message: "The engine went away again and again.",
    remedy: `The runs go on without it; \`tazuna wait ${task.slice(0, 8)}\` waits for them, \`server.log\` in the data folder says more.`,
    details: {},
  };
}
