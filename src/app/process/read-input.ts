/** Reads a file (or a named pipe) or standard input for the command line, up to a limit. */
import { createReadStream } from "node:fs";
import { err, ok, type Result } from "neverthrow";
import type { InputSource } from "../../cli/shared/terminal.ts";

/** One byte more than `max` if there are more; a reason if the source cannot be read. */
export async function readInput(source: InputSource, max: number): Promise<Result<Uint8Array, string>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const stream = source === "stdin" ? process.stdin : createReadStream(source.file);
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > max) break;
    }
  } catch (error) {
    return err(reasonOf(error));
  }
  return ok(Buffer.concat(chunks).subarray(0, max + 1));
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
