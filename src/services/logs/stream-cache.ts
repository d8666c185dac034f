/** Keeps what was read of the runs that are being read, so that each page reads only what is new. */
import type { MergedStreams } from "./merged-streams.ts";
import type { SentStreams } from "./sent-streams.ts";

/** What lies in the files of this worker, or what another one sent. */
type Streams = MergedStreams | SentStreams;

export interface StreamCache {
  /** Reads on in that part of the run's output; `worker` is who drove it, or empty for this one. */
  read<Kind extends Streams>(
    part: { readonly runId: string; readonly worker: string },
    how: { readonly open: () => Kind | Promise<Kind>; readonly readOn: (streams: Kind) => Promise<void> },
  ): Promise<Kind>;
  /** Call it once the run's files were deleted: nobody gets what was read of them before. */
  forget(runId: string): void;
}

const MAX_PARTS = 16;
/** Size of the streams on the disk; in memory they take a few times as much. */
const MAX_BYTES = 48 * 1024 * 1024;

interface Cached {
  readonly streams: Promise<Streams>;
  /** Readers of one part take turns. */
  reading: Promise<void>;
  bytes: number;
}

/** Drops what was read least recently; it is read again when needed. */
export function createStreamCache(): StreamCache {
  const parts = new Map<string, Cached>();

  const cachedOf = (key: string, open: () => Streams | Promise<Streams>): Cached => {
    const cached = parts.get(key) ?? {
      streams: Promise.resolve().then(open),
      reading: Promise.resolve(),
      bytes: 0,
    };
    parts.delete(key);
    parts.set(key, cached);
    return cached;
  };

  const dropOldest = (): void => {
    let bytes = 0;
    for (const cached of parts.values()) bytes += cached.bytes;
    for (const [key, cached] of parts) {
      if (parts.size === 1 || (parts.size <= MAX_PARTS && bytes <= MAX_BYTES)) return;
      parts.delete(key);
      bytes -= cached.bytes;
    }
  };

  return {
    read: async <Kind extends Streams>(
      { runId, worker }: { readonly runId: string; readonly worker: string },
      {
        open,
        readOn,
      }: { readonly open: () => Kind | Promise<Kind>; readonly readOn: (streams: Kind) => Promise<void> },
    ) => {
      const key = `${runId} ${worker}`;
      const cached = cachedOf(key, open);
      const reading = cached.reading.then(async () => {
        const streams = (await cached.streams) as Kind;
        await readOn(streams);
        cached.bytes = streams.bytes();
      });
      // Its reader gets the error of a failed reading; the next reader starts again.
      cached.reading = reading.catch(() => {
        if (parts.get(key) === cached) parts.delete(key);
      });
      await reading;
      dropOldest();
      return (await cached.streams) as Kind;
    },
    forget: (runId) => {
      for (const key of parts.keys()) if (key.startsWith(`${runId} `)) parts.delete(key);
    },
  };
}
