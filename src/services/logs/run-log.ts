/** Shows a run's log in pages: Tazuna's steps before the agent, the agent's output, Tazuna's steps after it. */
import { err, ok, type Result } from "neverthrow";
import { NO_AGENT } from "../../domain/attempt/attempt.ts";
import { seenByRun } from "../../domain/attempt/seen-by-run.ts";
import type { LogLine, LogPage } from "../../domain/run/log.ts";
import { chooseLines } from "../../domain/run/log-page.ts";
import type { Run } from "../../domain/run/run.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { inTurns } from "../../utils/time/turns.ts";
import type { Uses } from "../core/context-parts.ts";
import { notFound, type Refusal } from "../core/refusal.ts";
import type { LogQuery } from "../core/request-shapes.ts";
import type { OwnLogEntry } from "../run-core/own-log.ts";
import { stderrTail } from "../runs/agent/read-stream.ts";
import { readLogParts } from "./log-parts.ts";
import type { Printed } from "./merged-streams.ts";
import type { StreamCache } from "./stream-cache.ts";

type Unnumbered = Omit<LogLine, "n">;

/**
 * The most stderr of a run whose keeper did not note its places. The log then shows the end of stderr after the rest.
 */
const STDERR_BYTES = 64 * 1024;

/** A page of lines; the number of a line never changes. */
export async function runLog(
  context: Uses<"executors"> & Parameters<typeof readLogParts>[0],
  streams: StreamCache,
  query: LogQuery & { readonly runId: string },
): Promise<Result<LogPage, Refusal>> {
  const run = await getRun(context.db.reader, query.runId);
  const worked = run && (await getAttempt(context.db.reader, run.attemptId));
  const attempt = worked && seenByRun(worked, run);
  if (!run || !attempt) return err(notFound("run", query.runId));
  const executor = context.executors.get(attempt.executor);
  if (!executor && attempt.executor !== NO_AGENT) return err(notFound("run", query.runId));
  const log = await readLogParts(context, streams, { run, attempt, executor: executor ?? null });
  const begun = run.agentStartedAt;
  const before = begun === null ? log.own : log.own.filter((entry) => entry.at <= begun);
  const rest = log.isPrinted
    ? [
        ...(log.hasStderr || log.sent !== null ? [] : await stderrLines(context, run)),
        ...log.own.slice(before.length).map(ownLine),
      ]
    : [];
  const parts = { before, printed: log.printed, rest };
  const total = before.length + parts.printed.length + rest.length;
  const after = query.tail === null ? query.after : Math.max(query.after, total - query.tail);
  const chosen = chooseLines(total, { ...query, after }, (n) => ({ n, ...lineAt(n - 1, parts) }));
  const { lines, next, previous } = await inTurns(chosen);
  return ok({ lines, next, previous, total, ended: log.isOver && next >= total, sent: log.sent });
}

function lineAt(
  index: number,
  lines: {
    readonly before: readonly OwnLogEntry[];
    readonly printed: readonly Printed[];
    readonly rest: readonly Unnumbered[];
  },
): Unnumbered {
  const own = lines.before[index];
  if (own !== undefined) return ownLine(own);
  const printed = lines.printed[index - lines.before.length];
  if (printed !== undefined) return printedLine(printed);
  const rest = lines.rest[index - lines.before.length - lines.printed.length];
  if (rest === undefined) throw new Error(`the log has no line ${index}`);
  return rest;
}

function printedLine({ ms, source, event }: Printed): Unnumbered {
  return { at: ms === null ? null : new Date(ms).toISOString(), source, event };
}

function ownLine(entry: OwnLogEntry): Unnumbered {
  return { at: entry.at, source: "tazuna", event: { step: entry.step, text: entry.text } };
}

/** For an older run, whose keeper noted no places. */
async function stderrLines(context: Uses<"paths">, run: Run): Promise<Unnumbered[]> {
  const text = await stderrTail(context, run.id, STDERR_BYTES);
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ at: null, source: "stderr", event: { text: line } }));
}
