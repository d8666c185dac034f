/** Reads what is new in the files of a run, in pieces of whole lines (ADR 0094). */
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { SENT_FILES, type SentBytes, type SentFile } from "../../domain/run/log-series.ts";
import { KEEPER_FILES } from "../../keeper/files.ts";
import { isGone, lstatOrNull } from "../../utils/files/is-there.ts";
import { OWN_LOG_FILE } from "../run-core/own-log.ts";

const NAMES: Readonly<Record<SentFile, string>> = {
  own: OWN_LOG_FILE,
  places: KEEPER_FILES.places,
  times: KEEPER_FILES.times,
  err: KEEPER_FILES.err,
  out: KEEPER_FILES.out,
};

/** The most bytes of a piece. A longer line is cut: its parts are joined again before anybody reads it. */
export const PIECE_BYTES = 64 * 1024;

export interface Piece {
  readonly file: SentFile;
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

interface NewPieces {
  readonly pieces: readonly Piece[];
  readonly sent: SentBytes;
  /** Whether that is all that was there when it was called. */
  readonly isAll: boolean;
}

/**
 * What follows on what was sent, at most `most` bytes. Each file is measured before those that it needs, and read after
 * them, as `merged-streams.ts` does: so a reader of the pieces so far sees what a reader of the files saw at a time.
 */
export async function newPieces(dir: string, sent: SentBytes, most: number): Promise<NewPieces> {
  const sizes = new Map<SentFile, number>();
  for (const file of SENT_FILES.toReversed())
    sizes.set(file, (await lstatOrNull(join(dir, NAMES[file])))?.size ?? 0);
  const pieces: Piece[] = [];
  const now: Record<SentFile, number> = { ...sent };
  let left = most;
  for (const file of SENT_FILES) {
    const size = sizes.get(file) ?? 0;
    if (size <= sent[file]) continue;
    const read = await piecesOf(join(dir, NAMES[file]), { from: sent[file], size, most: left });
    for (const piece of read.pieces) pieces.push({ file, ...piece });
    now[file] = read.pieces.at(-1)?.to ?? sent[file];
    left -= now[file] - sent[file];
    if (!read.isAll) return { pieces, sent: now, isAll: false };
  }
  return { pieces, sent: now, isAll: true };
}

interface Part {
  readonly from: number;
  readonly size: number;
  readonly most: number;
}

async function piecesOf(path: string, { from, size, most }: Part) {
  const pieces: Omit<Piece, "file">[] = [];
  await using file = await open(path, "r").catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
  if (file === null) return { pieces, isAll: true };
  const end = await endOfLines(file, from, size);
  let at = from;
  while (at < end && at - from < most) {
    const bytes = await readPart(file, at, Math.min(PIECE_BYTES, end - at));
    if (bytes.length === 0) break;
    // What follows on a line that is longer than a piece needs no line end: the line is complete in the file.
    const cut = bytes.lastIndexOf(LINE_FEED) + 1 || bytes.length;
    pieces.push({ from: at, to: at + cut, bytes: bytes.subarray(0, cut) });
    at += cut;
  }
  return { pieces, isAll: at >= end };
}

const LINE_FEED = 0x0a;

/** The end of the last whole line: the keeper may still cut off what comes after it. */
async function endOfLines(file: FileHandle, from: number, size: number): Promise<number> {
  for (let end = size; end > from; ) {
    const begin = Math.max(from, end - PIECE_BYTES);
    const found = (await readPart(file, begin, end - begin)).lastIndexOf(LINE_FEED);
    if (found >= 0) return begin + found + 1;
    end = begin;
  }
  return from;
}

async function readPart(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  const { bytesRead } = await file.read(buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}
