/** Reads lines of one side of a changed file, from the very trees that a diff compares. */
import { createReadStream } from "node:fs";
import { ok, type Result, safeTry } from "neverthrow";
import { withBlobFile } from "../../git/index/read-blobs.ts";
import type { FileLines } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import type { Refusal } from "../core/refusal.ts";
import type { DiffOf, LinesQuery } from "../core/request-shapes.ts";
import { changedBlob } from "./changed-blob.ts";
import type { ComparedFiles } from "./compared-files.ts";
import { gitRefusal } from "./compared-sides.ts";

/** The file must be one of the diff. Lines beyond its end are left out. */
export async function fileLines(
  engine: Uses<"db" | "git" | "configuration">,
  of: DiffOf,
  { from, to, ...file }: LinesQuery & { readonly filesOf: ComparedFiles },
): Promise<Result<FileLines, Refusal>> {
  return safeTry(async function* () {
    const { git, target, sha } = yield* await changedBlob(engine, of, file);
    const act = (name: string) => linesWithin(name, { from, to });
    const read = yield* (await withBlobFile(git, target, { sha, act })).mapErr(gitRefusal);
    return ok({ sha, ...read });
  });
}

/** Bytes of one line that are read; nobody reads on in a longer one. */
const MAX_LINE_BYTES = 8_000;
const LINE_FEED = 0x0a;

/** Reads piece by piece, so that the length of the file does not matter. */
async function linesWithin(
  file: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Omit<FileLines, "sha">> {
  const lines: string[] = [];
  let number = 1;
  let begun: Buffer[] = [];
  let room = MAX_LINE_BYTES;
  let isEmpty = true;
  const isWanted = () => number >= from && number <= to;
  const take = (bytes: Buffer) => {
    if (bytes.length > 0) isEmpty = false;
    if (!isWanted() || room <= 0) return;
    // The piece is used again, so its bytes are copied.
    begun.push(Buffer.from(bytes.subarray(0, room)));
    room -= bytes.length;
  };
  const end = () => {
    if (isWanted()) lines.push(Buffer.concat(begun).toString("utf8"));
    begun = [];
    room = MAX_LINE_BYTES;
    isEmpty = true;
    number += 1;
  };
  for await (const piece of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    let at = 0;
    for (let found = piece.indexOf(LINE_FEED); found >= 0; found = piece.indexOf(LINE_FEED, at)) {
      take(piece.subarray(at, found));
      end();
      at = found + 1;
    }
    take(piece.subarray(at));
  }
  if (!isEmpty) end();
  return { lines, total: number - 1 };
}
