/** Joins pictures of one size into a moving one (APNG, as the W3C's PNG specification of 2025 describes it). */
import { crc32, deflateSync, inflateSync } from "node:zlib";

export interface Frame {
  /** A PNG without interlacing, as a browser takes it. */
  readonly png: Uint8Array;
  readonly ms: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** It plays for ever. All frames have the size and the colours of the first. */
export function animate(frames: readonly Frame[]): Buffer {
  const read = frames.map(({ png }) => chunksOf(Buffer.from(png)));
  const header = read[0]?.find(({ type }) => type === "IHDR")?.data ?? Buffer.alloc(13);
  let sequence = 0;
  const number = (value: number) => Buffer.from(Uint32Array.of(value).buffer).swap32();
  const parts = read.flatMap((chunks, index): readonly Buffer[] => {
    const other = chunks.find(({ type }) => type === "IHDR")?.data;
    if (other === undefined || !other.equals(header))
      throw new Error(`frame ${index + 1} differs in size or colours`);
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    header.copy(control, 4, 0, 8);
    control.writeUInt16BE(frames[index]?.ms ?? 100, 20);
    control.writeUInt16BE(1000, 22);
    const data = packed(chunks);
    const image =
      index === 0 ? chunk("IDAT", data) : chunk("fdAT", Buffer.concat([number(sequence++), data]));
    return [chunk("fcTL", control), image];
  });
  const plays = Buffer.concat([number(frames.length), number(0)]);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("acTL", plays),
    ...parts,
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The image data once more, as small as it gets: a browser packs for speed. */
function packed(chunks: readonly Chunk[]): Buffer {
  const data = chunks.filter(({ type }) => type === "IDAT").map((each) => each.data);
  return deflateSync(inflateSync(Buffer.concat(data)), { level: 9 });
}

function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString("latin1", at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
