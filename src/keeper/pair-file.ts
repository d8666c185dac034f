/** Appends pairs of numbers to a file, one a line; a pair is written as a whole or not at all. */
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { cutBack } from "./agent-log.ts";

type Pair = readonly [number, number];

interface PairFile {
  /** Throws if the pair cannot be stored. */
  append(pair: (file: { readonly isEmpty: boolean }) => Pair): void;
  close(): void;
}

/** Made with mode 0600 by the first pair. */
export function createPairFile(path: string): PairFile {
  let file: number | null = null;
  return {
    append: (pair) => {
      file ??= openSync(path, "a", 0o600);
      const { size } = fstatSync(file);
      appendWhole(file, size, `${pair({ isEmpty: size === 0 }).join(" ")}\n`);
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

/** Null if a line is not valid. */
export function parsePair(line: string): Pair | null {
  const [, first, second] = /^(\d{1,15}) (\d{1,15})$/.exec(line) ?? [];
  return first === undefined || second === undefined ? null : [Number(first), Number(second)];
}
