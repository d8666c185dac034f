/** Records when the lines of stdout came, so that a log shows how long each call of a tool took. */
import { createPairFile, parsePair } from "./pair-file.ts";

interface Times {
  /**
   * The lines from byte `out` on came at `ms`, in milliseconds since 1970. Call it before they are written; it throws
   * if the note cannot be stored.
   */
  note(out: number, ms: number): void;
  close(): void;
}

/** Each line is `OUT MS`, only if `ms` has changed. */
export function createTimes(path: string): Times {
  const file = createPairFile(path);
  let latest: number | null = null;
  return {
    note: (out, ms) => {
      if (ms === latest) return;
      file.append(() => [out, ms]);
      latest = ms;
    },
    close: file.close,
  };
}

/** The lines from byte `out` of stdout on came at `ms`. */
export interface Arrival {
  readonly out: number;
  readonly ms: number;
}

/** Null if a line is not valid. */
export function parseArrival(line: string): Arrival | null {
  const pair = parsePair(line);
  return pair === null ? null : { out: pair[0], ms: pair[1] };
}
