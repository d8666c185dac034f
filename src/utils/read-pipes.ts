/** Reads the pipes of a program to their end, or as far as there is anything in them. */
import { settlesWithin, sleep } from "./waiting.ts";

/** Takes the next bytes of a stream; the stream waits for a promise, so that a slow reader slows the writer. */
export type ChunkReader = (chunk: Uint8Array) => void | Promise<void>;

export interface Pipe {
  readonly stream: ReadableStream<Uint8Array> | null;
  readonly read: ChunkReader;
}

export interface Output {
  /** Settles when every pipe was read to its end. */
  readonly closed: Promise<void>;
  /** Reads what is there; gives pipes up that nobody writes to and nobody closes. */
  drain(options: { readonly hasty: boolean }): Promise<void>;
}

/** Reads pipes from their first byte on. */
export function readPipes(pipes: readonly Pipe[]): Output {
  const readings = pipes.flatMap(({ stream, read }) => (stream === null ? [] : [readStream(stream, read)]));
  const closed = Promise.all(readings.map((reading) => reading.closed)).then(() => {});
  // What a reader throws is for whoever asks for the end, who may not have asked yet.
  closed.catch(() => {});
  const isBusy = () => readings.some((reading) => reading.isBusy());
  const bytesRead = () => readings.reduce((sum, reading) => sum + reading.bytesRead(), 0);

  const drain = async ({ hasty }: { readonly hasty: boolean }): Promise<void> => {
    const { turns, pauseMs } = hasty ? HASTY : PATIENT;
    const [began, before] = [performance.now(), bytesRead()];
    const allOldIsRead = () => bytesRead() - before > LARGEST_PIPE || performance.now() - began > DRAIN_MS;
    // Every turn passes through the event loop's reading phase, so bytes that are there are seen however late the timers are.
    for (let turn = 1, quiet = 0; quiet < turns && (turn <= turns || isBusy() || !allOldIsRead()); turn++) {
      const seen = bytesRead();
      if (await settlesWithin(pauseMs, closed)) return;
      quiet = isBusy() || bytesRead() !== seen ? 0 : quiet + 1;
    }
    for (const reading of readings) reading.giveUp();
  };

  return { closed, drain };
}

/** How many turns without a byte, and how long each, until an open pipe counts as empty. */
const PATIENT = { turns: 5, pauseMs: 20 };
/** After a kill, when nobody who writes should be left. */
const HASTY = { turns: 3, pauseMs: 10 };
/** More than the system keeps for one pipe: after so many bytes, all that were written before are read. */
const LARGEST_PIPE = 4 * 1024 * 1024;
/** The longest that a stranger who writes on and on is listened to. */
const DRAIN_MS = 2000;

/** How long one stream may be read without a pause: Bun reads on as long as there is something, and runs no timers meanwhile. */
const LONGEST_READ_MS = 20;

/** Hands over one chunk after the other; a broken pipe ends like a finished one, and so does one that is given up. */
function readStream(stream: ReadableStream<Uint8Array>, read: ChunkReader) {
  const reader = stream.getReader();
  let bytes = 0;
  let busy = false;
  let busySince = 0;
  let lastChunk = 0;
  let broken: { readonly error: unknown } | null = null;

  /** A pause where chunks have come without one for too long. */
  const breath = (began: number): Promise<void> | null => {
    if (began - lastChunk > 1) busySince = began;
    lastChunk = performance.now();
    return lastChunk - busySince < LONGEST_READ_MS ? null : sleep(0);
  };

  /** What a reader throws does not stop the reading: the program would wait for ever with a full pipe. */
  const take = async (chunk: Uint8Array): Promise<void> => {
    const began = performance.now();
    busy = true;
    try {
      if (broken === null) await read(chunk);
    } catch (error) {
      broken = { error };
    }
    busy = false;
    await breath(began);
  };

  const readOn = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read().catch(() => FINISHED);
      if (done) break;
      bytes += value.length;
      await take(value);
    }
    if (broken !== null) throw broken.error;
  };

  return {
    closed: readOn(),
    isBusy: () => busy,
    bytesRead: () => bytes,
    giveUp: () => void reader.cancel().catch(() => {}),
  };
}

const FINISHED = { done: true, value: undefined } as const;
