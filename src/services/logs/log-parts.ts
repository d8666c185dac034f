/** Reads the parts of a run's log: the files here, and what other workers sent of theirs (ADR 0094). */

import type { SentLog } from "../../domain/run/log.ts";
import type { LogSeries } from "../../domain/run/log-series.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { driverOf, seriesOfRun } from "../../storage/team/log-chunks.ts";
import { workersThere } from "../../storage/team/workers.ts";
import type { Uses } from "../core/context-parts.ts";
import { nameOfWorker, ownWorker } from "../core/held-elsewhere.ts";
import { readToldLaunch } from "../log-chunks/told-launch.ts";
import { type OwnLogEntry, readOwnLog } from "../run-core/own-log.ts";
import { parserOfRecord, type RecordedStream } from "../runs/agent/read-stream.ts";
import { createMergedStreams, filesIn, type MergedStreams, type Printed } from "./merged-streams.ts";
import { createSentStreams, type SentStreams } from "./sent-streams.ts";
import type { StreamCache } from "./stream-cache.ts";

type PartsContext = Uses<"db" | "owner" | "objectKeys" | "paths" | "newId" | "selfCommand" | "userEnv">;

/** What is known of a run's log. */
interface LogParts {
  /** Tazuna's own steps, oldest first. */
  readonly own: readonly OwnLogEntry[];
  readonly printed: readonly Printed[];
  readonly hasStderr: boolean;
  /** Whether the agent prints nothing more, and all that it printed is here. */
  readonly isPrinted: boolean;
  /** Whether nothing more comes. */
  readonly isOver: boolean;
  readonly sent: SentLog | null;
}

/** A run of an attempt without an agent has no executor: nothing was printed. */
type Recorded = Omit<RecordedStream, "executor"> & { readonly executor: RecordedStream["executor"] | null };

export async function readLogParts(
  context: PartsContext,
  streams: StreamCache,
  recorded: Recorded,
): Promise<LogParts> {
  const { run } = recorded;
  const { reader } = context.db;
  const own = ownWorker(context);
  const driver = own === null ? null : await driverOf(reader, run.id);
  const series = own === null ? [] : await seriesOfRun(reader, run.id);
  const worker = driver?.workerId ?? own;
  const read: Part[] = [];
  // What it sent itself lies in its files too.
  for (const one of series)
    if (one.workerId !== own || worker !== own)
      read.push(await sentPart(context, { streams, recorded }, one));
  if (driver === null || worker === own || worker === null) {
    read.push(await filesPart(context, { streams, recorded }));
    return { ...joined(read), isPrinted: agentIsDone(run), isOver: isEnded(run.status), sent: null };
  }
  const last = series.findLast(({ workerId }) => workerId === worker) ?? null;
  const there = (await workersThere(reader)).has(worker);
  // Whoever ended the run in place of that worker lets it send nothing more; and one that is gone is not waited for.
  const isLost = driver.isLongOver && (!there || last === null || driver.epoch > last.epoch);
  const isFinal = last?.state === "ended" || isLost;
  return {
    ...joined(read),
    isPrinted: agentIsDone(run) && (isFinal || last?.state === "printed"),
    isOver: isEnded(run.status) && (isFinal || !there),
    sent: {
      worker: { id: worker, name: await nameOfWorker(context, worker) },
      until: last?.at ?? null,
      complete: last?.state === "ended",
      there,
    },
  };
}

interface Reading {
  readonly streams: StreamCache;
  readonly recorded: Recorded;
}

interface Part {
  readonly own: readonly OwnLogEntry[];
  /** Null if no agent printed anything. */
  readonly printed: MergedStreams | SentStreams | null;
}

async function sentPart(
  context: PartsContext,
  { streams, recorded: { executor, ...recorded } }: Reading,
  series: LogSeries,
): Promise<Part> {
  const sent = await streams.read(
    // Once it was deleted, nobody gets what was read before.
    { runId: series.runId, worker: `${series.workerId} ${series.removedAt ?? ""}` },
    {
      open: () =>
        createSentStreams(
          series,
          executor && ((launch) => parserOfRecord(context, { ...recorded, executor }, launch)),
        ),
      readOn: (each: SentStreams) => each.readOn(context, series),
    },
  );
  return { own: sent.own, printed: sent };
}

async function filesPart(
  context: PartsContext,
  { streams, recorded: { executor, ...recorded } }: Reading,
): Promise<Part> {
  const { run } = recorded;
  const own = await readOwnLog(context, run.id);
  if (run.agentStartedAt === null || executor === null) return { own, printed: null };
  const dir = context.paths.run(run.id);
  const open = async () =>
    createMergedStreams(
      filesIn(dir),
      parserOfRecord(context, { ...recorded, executor }, await readToldLaunch(dir)),
    );
  const printed = await streams.read(
    { runId: run.id, worker: "" },
    { open, readOn: (each: MergedStreams) => each.readOn({ ended: agentIsDone(run) }) },
  );
  return { own, printed };
}

function joined(parts: readonly Part[]): Pick<LogParts, "own" | "printed" | "hasStderr"> {
  const printed = parts.flatMap((part) => (part.printed === null ? [] : [part.printed]));
  const own = parts.flatMap((part) => part.own);
  const [only] = printed;
  return {
    own: parts.length === 1 ? own : own.toSorted((one, other) => (one.at < other.at ? -1 : 1)),
    // The lines of most logs have one origin, and are many.
    printed: printed.length === 1 && only !== undefined ? only.lines : printed.flatMap(({ lines }) => lines),
    hasStderr: printed.some((each) => each.hasStderr()),
  };
}

/** Before that, more of the agent's lines may come, so no number is given to lines after them. */
function agentIsDone(run: Run): boolean {
  return run.status !== "PENDING" && run.status !== "RUNNING";
}
