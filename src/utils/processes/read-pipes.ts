/** Reads the pipes of a program to their end, or as long as they hold data. */
import { settlesWithin } from "../time/waiting.ts";
import type { ByteSource, ChunkReader } from "./child.ts";

interface Pipe {
  readonly source: ByteSource | null;
  readonly read: ChunkReader;
}

interface Output {
  /** Settles when every pipe was read to its end. */
  readonly closed: Promise<void>;
  /** Whether `closed` has settled already. */
  isClosed(): boolean;
  /** Reads what is there. It gives up pipes that stay open without any data. */
  drain(options: { readonly hasty: boolean }): Promise<void>;
}

/** Reads pipes from their first byte on. */
export function readPipes(pipes: readonly Pipe[]): Output {
  const readings = pipes.flatMap(({ source, read }) => (source === null ? [] : [readSource(source, read)]));
  let isClosed = false;
  const closed = Promise.all(readings.map((reading) => reading.closed)).then(() => {
    isClosed = true;
  });
  // A reader's error goes to the caller that waits for `closed`, which may not wait yet.
  closed.catch(() => {});
  const isBusy = () => readings.some((reading) => reading.isBusy());
  const bytesRead = () => readings.reduce((sum, reading) => sum + reading.bytesRead(), 0);

  const drain = async ({ hasty }: { readonly hasty: boolean }): Promise<void> => {
    if (isClosed) return;
    const { turns, pauseMs } = hasty ? HASTY : PATIENT;
    const [began, before] = [performance.now(), bytesRead()];
    const allOldIsRead = () => bytesRead() - before > MAX_PIPE_BYTES || performance.now() - began > DRAIN_MS;
    // Every turn passes through the event loop's reading phase. So available bytes are seen even if timers are late.
    for (let turn = 1, quiet = 0; quiet < turns && (turn <= turns || isBusy() || !allOldIsRead()); turn++) {
      const seen = bytesRead();
      if (await settlesWithin(pauseMs, closed)) return;
      quiet = isBusy() || bytesRead() !== seen ? 0 : quiet + 1;
    }
    for (const reading of readings) reading.giveUp();
  };

  return { closed, isClosed: () => isClosed, drain };
}

/** After so many turns of this length without a byte, an open pipe counts as empty. */
const PATIENT = { turns: 5, pauseMs: 20 };
/** After a kill, when no writer should be left. */
const HASTY = { turns: 3, pauseMs: 10 };
/** More than the system buffers for one pipe. After so many bytes, all earlier ones are read. */
const MAX_PIPE_BYTES = 4 * 1024 * 1024;
/** The longest time to read from a foreign process that never stops writing. */
const DRAIN_MS = 2000;

/**
 * Hands one stream to its reader. An error of the reader does not stop the reading: with a full pipe, the program
 * would never go on.
 */
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
