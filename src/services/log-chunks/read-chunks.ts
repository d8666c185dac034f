/** Reads what a worker sent of a run's log; each reading goes on from where the last one stopped. */
import type { LogSeries } from "../../domain/run/log-series.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { chunksAfter } from "../../storage/team/log-chunks.ts";
import type { Piece } from "./new-pieces.ts";

/** Chunks that are in memory at once: at most 4 MiB of a log. */
const CHUNKS_AT_ONCE = 64;

interface ChunkReader {
  /** What is new, in the order in which it was sent. What cannot be read is left out, as if it had been deleted. */
  pieces(db: Reader): AsyncGenerator<readonly Piece[], void, void>;
}

export function createChunkReader(series: Pick<LogSeries, "runId" | "workerId">): ChunkReader {
  let after = 0;
  return {
    pieces: async function* (db) {
      for (;;) {
        const chunks = await chunksAfter(db, series, { after, limit: CHUNKS_AT_ONCE });
        if (chunks.length === 0) return;
        after = chunks.at(-1)?.number ?? after;
        yield chunks.flatMap(({ file, fromByte: from, toByte: to, bytes }) => {
          const read = unpacked(bytes);
          return read?.length === to - from ? [{ file, from, to, bytes: read }] : [];
        });
      }
    },
  };
}

function unpacked(bytes: Uint8Array): Uint8Array | null {
  try {
    return Bun.zstdDecompressSync(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}
