/** Writes chunks of a log into one object, and reads them again (ADR 0103). */
import { createHash } from "node:crypto";
import { z } from "zod";
import { SENT_FILES, type SentFile } from "../../domain/run/log-series.ts";
import type { LogPack } from "../../storage/team/log-packs.ts";

/** The most of a log that one object holds, before it is compressed, and the most chunks of it. */
export const PACK_BYTES = 4 * 1024 * 1024;
export const PACK_CHUNKS = 4_096;

/** Chunks that are read at once: at most 4 MiB of a log. */
export const CHUNKS_AT_ONCE = 64;

/** As the database holds it: `bytes` are compressed. */
export interface PackedChunk {
  readonly number: number;
  readonly file: SentFile;
  readonly fromByte: number;
  readonly toByte: number;
  readonly bytes: Uint8Array;
}

const count = z.number().int().nonnegative();
const headSchema = z.array(z.tuple([count, z.enum(SENT_FILES), count, count, count]));

/** Four bytes say how long the head is; it says where the chunks lie that follow on it. */
const LENGTH_BYTES = 4;

/** The same chunks give the same bytes. */
export function writePack(chunks: readonly PackedChunk[]): Uint8Array {
  const head = Buffer.from(
    JSON.stringify(chunks.map((one) => [one.number, one.file, one.fromByte, one.toByte, one.bytes.length])),
  );
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, ...chunks.map(({ bytes }) => bytes)]);
}

/** Null if these are no such bytes, or not all of them. */
export function readPack(bytes: Uint8Array): readonly PackedChunk[] | null {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (whole.length < LENGTH_BYTES) return null;
  let at = LENGTH_BYTES + whole.readUInt32BE();
  const head = headOf(whole.subarray(LENGTH_BYTES, at));
  if (head === null || head.reduce((sum, [, , , , length]) => sum + length, at) !== whole.length) return null;
  return head.map(([number, file, fromByte, toByte, length]) => {
    at += length;
    return { number, file, fromByte, toByte, bytes: whole.subarray(at - length, at) };
  });
}

function headOf(bytes: Buffer) {
  try {
    return headSchema.parse(JSON.parse(bytes.toString()));
  } catch {
    return null;
  }
}

/** Other bytes give another name, so no two servers write one object with two contents. */
export function packName({ runId, workerId, first, last, hash }: Omit<LogPack, "place">): string {
  return `${runId}/${workerId}/${first}-${last}-${hash}`;
}

/** 128 bits of it. */
export function packHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}
