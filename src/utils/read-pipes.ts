/** Reads the pipes of a program to their end, or as far as there is anything in them. */
import type { ByteSource, ChunkReader } from "./child.ts";
import { settlesWithin } from "./waiting.ts";

export interface Pipe {
  readonly source: ByteSource | null;
  readonly read: ChunkReader;
}

export interface Output {
  /** Settles when every pipe was read to its end. */
  readonly closed: Promise<void>;
  /** Whether that is so already. */
  isClosed(): boolean;
  /** Reads what is there; gives pipes up that nobody writes to and nobody closes. */
  drain(options: { readonly hasty: boolean }): Promise<void>;
}

/** Reads pipes from their first byte on. */
export function readPipes(pipes: readonly Pipe[]): Output {
  const readings = pipes.flatMap(({ source, read }) => (source === null ? [] : [readSource(source, read)]));
  let isClosed = false;
  const closed = Promise.all(readings.map((reading) => reading.closed)).then(() => {
    isClosed = true;
  });
  // What a reader throws is for whoever asks for the end, who may not have asked yet.
  closed.catch(() => {});
  const isBusy = () => readings.some((reading) => reading.isBusy());
  const bytesRead = () => readings.reduce((sum, reading) => sum + reading.bytesRead(), 0);

  const drain = async ({ hasty }: { readonly hasty: boolean }): Promise<void> => {
    if (isClosed) return;
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

  return { closed, isClosed: () => isClosed, drain };
}

/** How many turns without a byte, and how long each, until an open pipe counts as empty. */
const PATIENT = { turns: 5, pauseMs: 20 };
/** After a kill, when nobody who writes should be left. */
const HASTY = { turns: 3, pauseMs: 10 };
/** More than the system keeps for one pipe: after so many bytes, all that were written before are read. */
const LARGEST_PIPE = 4 * 1024 * 1024;
/** The longest that a stranger who writes on and on is listened to. */
const DRAIN_MS = 2000;

/** Hands one stream to its reader. What that throws does not stop the reading: the program would wait for ever with a full pipe. */
function readSource(source: ByteSource, read: ChunkReader) {
  let bytes = 0;
  let busy = false;
  let broken: { readonly error: unknown } | null = null;

  const waitFor = async (reading: Promise<void>): Promise<void> => {
    busy = true;
    await reading.catch((error) => {
      broken = { error };
    });
    busy = false;
  };

  const take = (chunk: Uint8Array): void | Promise<void> => {
    bytes += chunk.length;
    if (broken !== null) return;
    try {
      const reading = read(chunk);
      return reading === undefined ? undefined : waitFor(reading);
    } catch (error) {
      broken = { error };
    }
  };

  const closed = source.read(take).then(() => {
    if (broken !== null) throw broken.error;
  });
  return { closed, isBusy: () => busy, bytesRead: () => bytes, giveUp: () => source.giveUp() };
}
