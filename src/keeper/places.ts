/** Records the positions of stderr lines among those of stdout, so that a log shows their order. */
import { createPairFile, parsePair } from "./pair-file.ts";

interface Places {
  /**
   * From byte `err` on, stderr follows byte `out` of stdout. Call it before those lines are written; it throws if the
   * note cannot be stored.
   */
  note(err: number, out: number): void;
  close(): void;
}

/** Each line is `ERR OUT`, only if `out` has changed. */
export function createPlaces(path: string): Places {
  const file = createPairFile(path);
  let latest: number | null = null;
  return {
    note: (err, out) => {
      if (out === latest) return;
      // Older content was stored before positions were recorded: no reader has seen it yet.
      file.append(({ isEmpty }) => [isEmpty ? 0 : err, out]);
      latest = out;
    },
    close: file.close,
  };
}

/** From byte `err` on, stderr follows byte `out` of stdout. */
export interface Place {
  readonly err: number;
  readonly out: number;
}

/** Null if a line is not valid. */
export function parsePlace(line: string): Place | null {
  const pair = parsePair(line);
  return pair === null ? null : { err: pair[0], out: pair[1] };
}
