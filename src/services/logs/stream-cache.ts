/** Keeps what was read of the runs that are being read, so that each page reads only what is new. */
import type { Uses } from "../core/context-parts.ts";
import { parserOfRecord, type RecordedStream } from "../runs/agent/read-stream.ts";
import { createMergedStreams, type MergedStreams } from "./merged-streams.ts";

export interface StreamCache {
  /** The output of the run's agent so far. `ended`: its keeper writes no more. */
  read(recorded: RecordedStream, options: { readonly ended: boolean }): Promise<MergedStreams>;
  /** Call it once the run's files were deleted: nobody gets what was read of them before. */
  forget(runId: string): void;
}

const MAX_RUNS = 16;
/** Size of the streams on the disk; in memory they take a few times as much. */
const MAX_BYTES = 48 * 1024 * 1024;

interface Cached {
  readonly streams: Promise<MergedStreams>;
  /** Readers of one run take turns. */
  reading: Promise<void>;
  bytes: number;
}

/** Drops the least recently read runs; they are read again when needed. */
export function createStreamCache(context: Uses<"paths" | "newId" | "selfCommand" | "userEnv">): StreamCache {
  const runs = new Map<string, Cached>();

  const cachedOf = (recorded: RecordedStream): Cached => {
    const runId = recorded.run.id;
    const cached = runs.get(runId) ?? {
      streams: parserOfRecord(context, recorded).then((parser) =>
        createMergedStreams(context.paths.run(runId), parser),
      ),
      reading: Promise.resolve(),
      bytes: 0,
    };
    runs.delete(runId);
    runs.set(runId, cached);
    return cached;
  };

  const dropOldest = (): void => {
    let bytes = 0;
    for (const cached of runs.values()) bytes += cached.bytes;
    for (const [runId, cached] of runs) {
      if (runs.size === 1 || (runs.size <= MAX_RUNS && bytes <= MAX_BYTES)) return;
      runs.delete(runId);
      bytes -= cached.bytes;
    }
  };

  return {
    read: async (recorded, options) => {
      const cached = cachedOf(recorded);
      const reading = cached.reading.then(async () => {
        const streams = await cached.streams;
        await streams.readOn(options);
        cached.bytes = streams.bytes();
      });
      // Its reader gets the error of a failed reading; the next reader starts again.
      cached.reading = reading.catch(() => {
        if (runs.get(recorded.run.id) === cached) runs.delete(recorded.run.id);
      });
      await reading;
      dropOldest();
      return cached.streams;
    },
    forget: (runId) => void runs.delete(runId),
  };
}
