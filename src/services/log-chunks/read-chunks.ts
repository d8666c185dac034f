/** Reads what a worker sent of a run's log; each reading goes on from where the last one stopped. */
import type { LogSeries } from "../../domain/run/log-series.ts";
import type { Reader } from "../../storage/schema/schema.ts";
import { chunksAfter } from "../../storage/team/log-chunks.ts";
import { type LogPack, packsAfter } from "../../storage/team/log-packs.ts";
import type { Uses } from "../core/context-parts.ts";
import { CHUNKS_AT_ONCE, PACK_CHUNKS, type PackedChunk, packHash, packName, readPack } from "./log-pack.ts";
import type { Piece } from "./new-pieces.ts";
import { openPlace } from "./object-store.ts";

export type ChunkContext = Uses<"db" | "objectKeys">;

interface ChunkReader {
  /**
   * What is new, in the order in which it was sent. What cannot be read is left out, as if it had been deleted. `packed`
   * is that of the series: what lies in object storage is asked for only if there is news of it.
   */
  pieces(
    context: ChunkContext,
    series: Pick<LogSeries, "packed">,
  ): AsyncGenerator<readonly Piece[], void, void>;
}

export function createChunkReader(series: Pick<LogSeries, "runId" | "workerId">): ChunkReader {
  let after = 0;
  return {
    pieces: async function* (context, { packed }) {
      const { reader } = context.db;
      let mayBePacked = packed > after;
      for (;;) {
        if (mayBePacked)
          for (const pack of await packsAfter(reader, series, after)) {
            const packed = (await chunksOf(context, pack)) ?? (await leftOf(reader, pack));
            yield piecesOf(packed.filter(({ number }) => number > after));
            after = pack.last;
          }
        const chunks = await chunksAfter(reader, series, { after, limit: CHUNKS_AT_ONCE });
        // A server may move them at this moment, and leave only Tazuna's own steps.
        const isWhole = chunks.length === (chunks.at(-1)?.number ?? after) - after;
        if (!isWhole && (await packsAfter(reader, series, after)).length > 0) {
          mayBePacked = true;
          continue;
        }
        if (chunks.length === 0) return;
        after = chunks.at(-1)?.number ?? after;
        mayBePacked = false;
        yield piecesOf(chunks);
      }
    },
  };
}

/** Null if this engine has no keys, or the storage is away. */
async function chunksOf({ objectKeys }: ChunkContext, pack: LogPack): Promise<readonly PackedChunk[] | null> {
  const read = await openPlace(objectKeys, pack.place)?.get(packName(pack));
  return read?.isOk() === true && packHash(read.value) === pack.hash ? readPack(read.value) : null;
}

/** Tazuna's own steps are in the database too. */
function leftOf(reader: Reader, pack: LogPack): Promise<readonly PackedChunk[]> {
  return chunksAfter(reader, pack, { after: pack.first - 1, upTo: pack.last, limit: PACK_CHUNKS });
}

function piecesOf(chunks: readonly PackedChunk[]): readonly Piece[] {
  return chunks.flatMap(({ file, fromByte: from, toByte: to, bytes }) => {
    const read = unpacked(bytes);
    return read?.length === to - from ? [{ file, from, to, bytes: read }] : [];
  });
}

function unpacked(bytes: Uint8Array): Uint8Array | null {
  try {
    return Bun.zstdDecompressSync(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}
