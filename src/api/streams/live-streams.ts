/** Serves server-sent events piece by piece, at the reader's pace, and knows which streams are open. */

/** The source of a stream's text. */
export interface StreamSource {
  /**
   * The next piece of the stream, after a wait if need be; null at the end. Called again only when the reader wants
   * more.
   */
  next(signal: AbortSignal): Promise<string | null>;
}

interface StreamReader {
  /** The reader's address; null if it is unknown. */
  readonly address: string | null;
  /** Called once, when the stream is over or its reader has gone. */
  readonly onEnd: () => void;
}

export interface LiveStreams {
  open(source: StreamSource, reader: StreamReader): Response;
  count(): number;
  /** The number of open streams of one client address. */
  countOf(address: string): number;
  close(): void;
}

/** A slow reader delays only itself: nothing is read for it before it took the earlier pieces. */
export function createLiveStreams(report: (error: unknown) => void): LiveStreams {
  const open = new Map<AbortController, StreamReader>();
  const encoder = new TextEncoder();

  return {
    open(source, reader) {
      const stop = new AbortController();
      let left = false;
      const end = () => {
        stop.abort();
        if (open.delete(stop)) reader.onEnd();
      };
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            // Only a stream with a reader counts as open; a HEAD request has none.
            open.set(stop, reader);
            const piece = stop.signal.aborted ? null : await nextPiece(source, stop.signal, report);
            if (left) return;
            if (piece !== null) return controller.enqueue(encoder.encode(piece));
            // Before the stream is closed: after that, the connection ignores it.
            end();
            controller.close();
          },
          cancel() {
            left = true;
            end();
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: STREAM_HEADERS });
    },
    count: () => open.size,
    countOf: (address) => [...open.values()].filter((reader) => reader.address === address).length,
    close() {
      for (const stop of [...open.keys()]) stop.abort();
    },
  };
}

const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** A source that fails ends its stream; the reader reconnects with its last number. */
async function nextPiece(
  source: StreamSource,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<string | null> {
  try {
    return await source.next(signal);
  } catch (error) {
    report(error);
    return null;
  }
}

/** One event; `data` is sent as one line of JSON. */
export function eventText(event: string, id: number, data: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Keeps the connection alive; readers skip it. */
export const PING = ": ping\n\n";
