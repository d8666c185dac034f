/** Records the positions of stderr lines among those of stdout, so that a log shows their order. */
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { cutBack } from "./agent-log.ts";

interface Places {
  /**
   * From byte `err` on, stderr follows byte `out` of stdout. Call it before those lines are written; it throws if the
   * note cannot be stored.
   */
  note(err: number, out: number): void;
  close(): void;
}

/** Made with mode 0600 by the first note. Each line is `ERR OUT`, only if `out` has changed. */
export function createPlaces(path: string): Places {
  let file: number | null = null;
  let latest: number | null = null;
  return {
    note: (err, out) => {
      if (out === latest) return;
      file ??= openSync(path, "a", 0o600);
      const { size } = fstatSync(file);
      // Older content was stored before positions were recorded: no reader has seen it yet.
      appendWhole(file, size, `${size === 0 ? 0 : err} ${out}\n`);
      latest = out;
    },
    close: () => {
      if (file !== null) closeSync(file);
    },
  };
}

function appendWhole(file: number, size: number, line: string): void {
  const bytes = Buffer.from(line);
  try {
    if (writeSync(file, bytes) !== bytes.length) throw new Error("no space left on the device");
  } catch (error) {
    cutBack(file, size);
    throw error;
  }
}

/** From byte `err` on, stderr follows byte `out` of stdout. */
export interface Place {
  readonly err: number;
  readonly out: number;
}

/** Null if a line is not valid. */
export function parsePlace(line: string): Place | null {
  const [, err, out] = /^(\d{1,15}) (\d{1,15})$/.exec(line) ?? [];
  return err === undefined || out === undefined ? null : { err: Number(err), out: Number(out) };
}
