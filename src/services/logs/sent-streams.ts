/** Puts what another worker sent of a run's log into one order, as the files themselves are read (ADR 0094). */
import type { LogSeries, ToldLaunch } from "../../domain/run/log-series.ts";
import type { AgentParser } from "../../executors/shared/executor.ts";
import { createFedFile, type FileLine } from "../log-chunks/fed-file.ts";
import type { Piece } from "../log-chunks/new-pieces.ts";
import { type ChunkContext, createChunkReader } from "../log-chunks/read-chunks.ts";
import { type OwnLogEntry, ownLogEntries } from "../run-core/own-log.ts";
import type { GrowingFile } from "./growing-file.ts";
import { createMergedStreams, type MergedStreams, missingLine, type Printed } from "./merged-streams.ts";

export interface SentStreams {
  /** Reads what was sent since, up to that state of the series at least. */
  readOn(context: ChunkContext, series: LogSeries): Promise<void>;
  readonly own: readonly OwnLogEntry[];
  /** All lines so far; the same array grows. */
  readonly lines: readonly Printed[];
  hasStderr(): boolean;
  /** The number of bytes that were read. */
  bytes(): number;
}

/** `parserOf` makes the reader of the agent's stream, once that agent was started; null if the run has no agent. */
export function createSentStreams(
  series: Pick<LogSeries, "runId" | "workerId" | "removedAt">,
  parserOf: ((launch: ToldLaunch) => AgentParser) | null,
): SentStreams {
  const reader = createChunkReader(series);
  const files = { own: growing(), places: growing(), times: growing(), err: growing(), out: growing() };
  // What is still there of it will be deleted.
  const isRemoved = series.removedAt !== null;
  const own: OwnLogEntry[] = [];
  const lines: Printed[] = [];
  let merged: MergedStreams | null = null;
  let [copied, isWhole] = [0, false];

  const readOn = async (ended: boolean) => {
    own.push(...files.own.take().flatMap(({ text }) => ownLogEntries(text)));
    await merged?.readOn({ ended });
    for (const line of merged?.lines.slice(copied) ?? []) lines.push(line);
    copied = merged?.lines.length ?? 0;
  };

  /** What was deleted at the end, or cannot be read there. */
  const tellMissing = ({ sent }: LogSeries) => {
    isWhole = true;
    const bytes =
      sent.out - files.out.end() + (merged?.hasStderr() === true ? sent.err - files.err.end() : 0);
    if (bytes > 0) lines.push(missingLine(bytes));
  };

  return {
    readOn: async (context, now) => {
      if (now.launch !== null && parserOf !== null)
        merged ??= createMergedStreams(files, parserOf(now.launch));
      for await (const pieces of reader.pieces(context, now)) {
        for (const piece of pieces) if (!isRemoved || piece.file === "own") files[piece.file].feed(piece);
        await readOn(false);
      }
      if (now.state === "going" || isWhole) return;
      await readOn(true);
      tellMissing(now);
    },
    own,
    lines,
    hasStderr: () => merged?.hasStderr() ?? false,
    bytes: () => files.out.end() + files.err.end(),
  };
}

interface SentGrowing extends GrowingFile {
  feed(piece: Piece): void;
  take(): readonly FileLine[];
}

function growing(): SentGrowing {
  const fed = createFedFile();
  let waiting: FileLine[] = [];
  const take = () => {
    const lines = waiting;
    waiting = [];
    return lines;
  };
  return {
    feed: (piece) => {
      waiting = waiting.concat(fed.feed(piece));
    },
    take,
    size: async () => fed.end(),
    lines: async function* () {
      yield take();
    },
    end: fed.end,
  };
}
