/** Watches one task until a condition holds, and goes on after an engine ends and another starts. */
import { err, ok, type Result } from "neverthrow";
import type { Client } from "../../contract/client/client.ts";
import { pause } from "../../contract/client/pause.ts";
import type { FactDocument } from "../../contract/endpoints/operations.ts";
import type { TaskDocument } from "../../contract/task-document.ts";
import { failed, fromApi } from "../shared/cli-error.ts";
import type { CliError } from "../shared/cli-options.ts";
import type { Engine } from "../shared/engine.ts";
import { shortId } from "../shared/resolve-id.ts";

const MAX_LOSSES_IN_A_ROW = 5;
const MIN_POLL_MS = 100;
/** A look without a fact: the condition may depend on the time too. */
const MAX_POLL_MS = 5000;
/** Facts that change only the last action and the cost in the task's document. */
const PASSING = ["run.action", "run.usage"];

interface WatchTask {
  readonly engine: Engine;
  readonly task: string;
  readonly until: (document: TaskDocument) => boolean;
  readonly onDocument: (document: TaskDocument) => void;
  readonly onFact: (fact: FactDocument) => void;
  /** Ends the watch before `until` holds. */
  readonly signal: AbortSignal;
}

/** The document for which `until` held; null after the signal. Facts say when to look; only the document decides. */
export async function watchTask(options: WatchTask): Promise<Result<TaskDocument | null, CliError>> {
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
  return err(engineLost(options.task));
}

interface Seen {
  /** The number of the last fact; later facts were not seen yet. */
  seq: number | null;
}

function watchWith(
  client: Client,
  options: WatchTask,
  seen: Seen,
): Promise<Result<TaskDocument | null, CliError> | "lost"> {
  const stop = new AbortController();
  const end = () => stop.abort();
  options.signal.addEventListener("abort", end);
  const watch = new Promise<Result<TaskDocument | null, CliError> | "lost">((resolve, reject) => {
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
        resolve(refused === null ? "lost" : err(fromApi(refused)));
      })
      .catch(reject);
  });
  return watch.finally(() => {
    options.signal.removeEventListener("abort", end);
    stop.abort();
  });
}

/** Looks at the task, and once more if a request came during a look. There is a pause between two looks. */
function createCheck(
  client: Client,
  options: WatchTask,
  to: {
    readonly signal: AbortSignal;
    readonly resolve: (end: Result<TaskDocument | null, CliError> | "lost") => void;
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
        return to.resolve(document.error.kind === "unreachable" ? "lost" : err(fromApi(document.error)));
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

function engineLost(task: string): CliError {
  return failed({
    code: "engine_lost",
    message: "The engine went away again and again.",
    remedy: `The runs go on without it; \`tazuna wait ${shortId(task)}\` waits for them, \`server.log\` in the data folder says more.`,
  });
}
