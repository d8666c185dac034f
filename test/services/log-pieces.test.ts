/** Cuts what a keeper stores into pieces at any time: joined they are its files, and no secret is in them. */
import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { NOTHING_SENT, SENT_FILES, type SentBytes } from "../../src/domain/run/log-series.ts";
import { commandParser } from "../../src/executors/command/parse-events.ts";
import { openStreams } from "../../src/keeper/agent-streams.ts";
import { createFedFile } from "../../src/services/log-chunks/fed-file.ts";
import { newPieces, PIECE_BYTES, type Piece } from "../../src/services/log-chunks/new-pieces.ts";
import { createMergedStreams, filesIn } from "../../src/services/logs/merged-streams.ts";
import { specOf } from "../helpers/keeper.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const SECRET = "quite-a-secret-value";
const TOKEN = `ghp_${"a1B2c3D4".repeat(5)}`.slice(0, 40);
const FILES = {
  own: "tazuna.jsonl",
  places: "err.places",
  times: "out.times",
  err: "err.log",
  out: "out.jsonl",
};

function keeperIn(dir: string) {
  const causes = {
    first: new Promise<never>(() => {}),
    now: () => null,
    start() {},
    sawLife() {},
    diskFull() {},
    close() {},
  };
  const spec = specOf("run", { argv: [], spec: { outBytes: 1e9, errBytes: 1e9 } });
  const quiet = { toolsRunning: 0, meaning: { matter: "tells", refusal: null } } as const;
  return openStreams({ dir, secrets: [SECRET], activity: () => () => quiet }, spec, causes);
}

/** What a reader of the pieces so far sees. */
async function linesOf(dir: string, pieces: readonly Piece[]): Promise<readonly string[]> {
  const copy = join(dir, randomUUID());
  await mkdir(copy);
  for (const { file, bytes } of pieces) await appendFile(join(copy, FILES[file]), bytes);
  const streams = createMergedStreams(filesIn(copy), commandParser());
  await streams.readOn({ ended: false });
  return streams.lines.map(({ source, event }) => `${source} ${event.text}`);
}

test("pieces of a log are its files, in the order of a reader, without secrets", async () => {
  await using folder = await tempDir();
  const words = fc.constantFrom("plain", SECRET, TOKEN, `"${SECRET}"`, `{"a":"${SECRET}"}`, "é".repeat(50));
  const line = fc.record({
    words: fc.array(words, { maxLength: 4 }),
    /** Some lines are longer than a piece. */
    times: fc.constantFrom(1, 1, 1, 40, 1500),
  });
  const step = fc.record({
    stream: fc.constantFrom("out", "err"),
    line,
    /** The pipe hands a line on in two parts. */
    cut: fc.nat(200),
    most: fc.constantFrom(0, 1, 100, 70_000, 4_000_000),
  });
  const take = async (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
    const dir = join(folder.path, randomUUID());
    await mkdir(dir);
    const keeper = keeperIn(dir);
    const pieces: Piece[] = [];
    let sent: SentBytes = NOTHING_SENT;
    let shown: readonly string[] = [];
    const read = async (most: number) => {
      const next = await newPieces(dir, sent, most);
      for (const piece of next.pieces) {
        expect([piece.from, piece.to]).toEqual([sent[piece.file], piece.from + piece.bytes.length]);
        expect(piece.bytes.length).toBeLessThanOrEqual(PIECE_BYTES);
        expect(Buffer.from(piece.bytes).toString()).not.toContain(SECRET.slice(4));
        sent = { ...sent, [piece.file]: piece.to };
      }
      expect(next.sent).toEqual(sent);
      pieces.push(...next.pieces);
      return next.isAll;
    };
    for (const { stream, line: printed, cut, most } of steps) {
      const bytes = Buffer.from(`${printed.words.join(" ").repeat(printed.times)}\n`);
      keeper[stream as "out" | "err"].write(bytes.subarray(0, cut));
      await read(most);
      keeper[stream as "out" | "err"].write(bytes.subarray(cut));
      await read(most);
      const now = await linesOf(dir, pieces);
      // Lines that were shown never move.
      expect(now.slice(0, shown.length)).toEqual([...shown]);
      shown = now;
    }
    keeper.close();
    while (!(await read(70_000)));
    for (const file of SENT_FILES) {
      const joined = Buffer.concat(pieces.filter((piece) => piece.file === file).map(({ bytes }) => bytes));
      const stored = await readFile(join(dir, FILES[file])).catch(() => Buffer.alloc(0));
      expect(joined.equals(stored)).toBe(true);
      for (const secret of [SECRET, TOKEN]) expect(joined.includes(secret)).toBe(false);
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), take), { numRuns: 40 });
}, 180_000);

test("what the keeper may still cut off is not sent", async () => {
  await using folder = await tempDir();
  await appendFile(join(folder.path, FILES.out), "whole\nhalf");
  const first = await newPieces(folder.path, NOTHING_SENT, 1e6);
  expect([first.sent.out, first.isAll]).toEqual([6, true]);
  await appendFile(join(folder.path, FILES.out), "\n");
  expect((await newPieces(folder.path, first.sent, 1e6)).sent.out).toBe(11);
});

test("lines after a gap say how much is missing, and what comes twice counts once", () => {
  const file = createFedFile();
  const piece = (from: number, text: string) => {
    const bytes = Buffer.from(text);
    return { from, to: from + bytes.length, bytes };
  };
  expect(file.feed(piece(0, "one\nbeg"))).toEqual([{ text: "one", start: 0, end: 4 }]);
  expect(file.feed(piece(0, "one\n"))).toEqual([]);
  expect(file.feed(piece(20, "two\nthree\n"))).toEqual([
    { text: "two", start: 20, end: 24, missing: 16 },
    { text: "three", start: 24, end: 30 },
  ]);
  expect(file.feed(piece(24, "three\nfour\n"))).toEqual([{ text: "four", start: 30, end: 35 }]);
});
