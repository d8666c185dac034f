/** Serves server-sent events piece by piece, at the reader's pace, and knows which streams are open. */

/** Where a stream's text comes from. */
export interface StreamSource {
  /** The next piece of the stream, waiting for it if need be; null at the end. Called again only when the reader wants more. */
  next(signal: AbortSignal): Promise<string | null>;
}

export interface StreamReader {
  /** Where the reader is; null where nobody knows. */
  readonly address: string | null;
  /** Called once, when the stream is over or its reader has gone. */
  readonly onEnd: () => void;
}

export interface LiveStreams {
  open(source: StreamSource, reader: StreamReader): Response;
  count(): number;
  /** Those of one client address. */
  countOf(address: string): number;
  close(): void;
}

/** A slow reader holds up only itself: nothing is read for it before it took what came earlier. */
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
            // Only a stream that somebody reads counts as open (a HEAD request reads none).
            open.set(stop, reader);
            const piece = stop.signal.aborted ? null : await nextPiece(source, stop.signal, report);
            if (left) return;
            if (piece !== null) return controller.enqueue(encoder.encode(piece));
            // Before the stream is closed: what its end does to the connection is heard no more after it.
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

/** A source that breaks ends its stream; the reader comes back with the number it had. */
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

/** Keeps the connection known to be alive; readers skip it. */
export const PING = ": ping\n\n";
