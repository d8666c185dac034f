/** Shows a run's log in pages: what Tazuna did before the agent, the agent's events, its stderr, what Tazuna did after. */
import { err, ok, type Result } from "neverthrow";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { getRun } from "../../storage/runs.ts";
import type { ServiceContext } from "../context.ts";
import { notFound } from "../refusal.ts";
import { type OwnLogEntry, readOwnLog } from "../runs/own-log.ts";
import { stderrTail } from "../runs/read-stream.ts";
import type { LogLine, LogPage, Refusal } from "../services.ts";
import type { StreamCache } from "./stream-cache.ts";

/** Most of a run's stderr that the log shows, in bytes from its end. */
const STDERR_BYTES = 64 * 1024;

/** Lines after number `after`, at most `limit`; numbers never change once they were given. */
export async function runLog(
  context: ServiceContext,
  streams: StreamCache,
  query: { readonly runId: string; readonly after: number; readonly limit: number },
): Promise<Result<LogPage, Refusal>> {
  const run = await getRun(context.db.reader, query.runId);
  const attempt = run && (await getAttempt(context.db.reader, run.attemptId));
  const executor = attempt && context.executors.get(attempt.executor);
  if (!run || !executor) return err(notFound("run", query.runId));
  const own = await readOwnLog(context, run.id);
  const begun = run.agentStartedAt;
  const before = begun === null ? own : own.filter((entry) => entry.at <= begun);
  const events = begun === null ? [] : await streams.events({ run, attempt, executor });
  const rest = agentIsDone(run)
    ? [...(await stderrLines(context, run)), ...own.slice(before.length).map(ownLine)]
    : [];
  const total = before.length + events.length + rest.length;
  const lines: LogLine[] = [];
  for (let n = query.after + 1; n <= total && lines.length < query.limit; n += 1) {
    const line = lineAt(n - 1, { before, events, rest });
    lines.push({ n, ...line });
  }
  const next = query.after + lines.length;
  return ok({ lines, next, ended: isEnded(run.status) && next >= total });
}

/** Until then more of the agent's lines may come, so nothing is numbered behind them. */
function agentIsDone(run: Run): boolean {
  return run.status !== "PENDING" && run.status !== "RUNNING";
}

type Unnumbered = Omit<LogLine, "n">;

function lineAt(
  index: number,
  of: {
    readonly before: readonly OwnLogEntry[];
    readonly events: readonly object[];
    readonly rest: readonly Unnumbered[];
  },
): Unnumbered {
  const own = of.before[index];
  if (own !== undefined) return ownLine(own);
  const event = of.events[index - of.before.length];
  if (event !== undefined) return { at: null, source: "agent", event: { ...event } };
  const rest = of.rest[index - of.before.length - of.events.length];
  if (rest === undefined) throw new Error(`the log has no line ${index}`);
  return rest;
}

function ownLine(entry: OwnLogEntry): Unnumbered {
  return { at: entry.at, source: "tazuna", event: { step: entry.step, text: entry.text } };
}

async function stderrLines(context: ServiceContext, run: Run): Promise<Unnumbered[]> {
  const text = await stderrTail(context, run.id, STDERR_BYTES);
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ at: null, source: "stderr", event: { text: line } }));
}
