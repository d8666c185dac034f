/** Reads a file (or a pipe that has a name) or standard input for the command line, no further than it wants. */
import { createReadStream } from "node:fs";
import { err, ok, type Result } from "neverthrow";
import type { InputSource } from "../cli/terminal.ts";

/** One byte more than `most` where there are more; a reason where it cannot be read. */
export async function readInput(source: InputSource, most: number): Promise<Result<Uint8Array, string>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const stream = source === "stdin" ? process.stdin : createReadStream(source.file);
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > most) break;
    }
  } catch (error) {
    return err(reasonOf(error));
  }
  return ok(Buffer.concat(chunks).subarray(0, most + 1));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "you may not read it",
};

function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}
