/** Writes an agent's output to the run's folder: line by line, redacted, limited; notices a full disk. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Redactor } from "../domain/agent/redact.ts";
import { createLineSplitter, cutMark, type SplitLine } from "../utils/files/line-splitter.ts";
import { createOutputBuffer } from "../utils/files/output-buffer.ts";
import { createCutMiddle, type KeptLine, type Meaning } from "./cut-middle.ts";
import { sharesOf } from "./shares.ts";

interface AgentLog {
  /** Takes the next bytes of the stream; returns when their complete lines are handed to the system. */
  write(chunk: Uint8Array): void;
  /** Writes an unfinished last line, makes everything durable and closes the file. */
  close(): void;
  /** Bytes of complete lines in the file. */
  size(): number;
  /** Bytes that were printed but are not in the file. */
  cutBytes(): number;
}

export interface AgentLogOptions {
  /** Appended to, made with mode 0600. */
  readonly path: string;
  readonly redactor: Redactor;
  /** Called with each line as the agent printed it; returns its meaning. */
  readonly onLine: (line: string) => Meaning;
  /**
   * Called for each line before it is written, with its offset in the file and its time (milliseconds since 1970). If it
   * throws, the lines are not written.
   */
  readonly onWrite: (offset: number, ms: number) => void;
  /** Called with the answer to a question line that could not be kept. */
  readonly refuse: (answer: string) => void;
  /** Called once, with the reason, if a line could not be written. From then on lines are dropped. */
  readonly onFull: (reason: string) => void;
  /** The size limit of the file in bytes. If there is more output, the middle is left out. */
  readonly limit: number;
}

const LINE_FEED = 0x0a;

/** A log over one file. Writes are synchronous: the keeper has no other work, and a slow disk slows the agent. */
export function createAgentLog(options: AgentLogOptions): AgentLog {
  const { limit, redactor, refuse } = options;
  const file = openSync(options.path, "a", 0o600);
  let size = fstatSync(file).size;
  const shares = sharesOf(limit, size);
  const splitter = createLineSplitter({ maxLineBytes: Math.max(0, shares.line - MARK_BYTES) });
  const middle = createCutMiddle({ shares, refuse });
  let full = false;
  let cutOfLines = 0;

  const noRoom = (error: string): void => {
    full = true;
    cutBack(file, size);
    options.onFull(error);
  };

  const tell = (lines: readonly KeptLine[]): void => {
    let offset = size;
    for (const { text, ms } of lines) {
      options.onWrite(offset, ms);
      offset += Buffer.byteLength(text) + 1;
    }
  };

  const write = (lines: readonly KeptLine[]): void => {
    const bytes = Buffer.from(lines.map(({ text }) => `${text}\n`).join(""));
    // The shares fit the limit. So this is over it only if earlier starts stored more than the limit is now.
    if (full || bytes.length === 0 || size + bytes.length > limit) return;
    const { written, error } = writeAll(file, bytes, () => tell(lines));
    size += bytes.subarray(0, written).lastIndexOf(LINE_FEED) + 1;
    if (error !== null) noRoom(error);
  };

  const read = (line: SplitLine, ms: number): readonly KeptLine[] => {
    const meaning = options.onLine(line.text);
    const { text, cut } = storedLine(line, redactor, shares.line);
    cutOfLines += cut;
    return middle.take({ text, ms, ...meaning });
  };

  return {
    write: (chunk) => {
      const ms = Date.now();
      write(splitter.push(chunk).flatMap((line) => read(line, ms)));
    },
    close: () => {
      const last = splitter.end();
      if (last) write(read(last, Date.now()));
      write(middle.end());
      if (!full) syncQuietly(file);
      closeSync(file);
    },
    size: () => size,
    cutBytes: () => cutOfLines + middle.cutBytes(),
  };
}

/** More than the length of the mark of a cut line. */
const MARK_BYTES = 64;

/**
 * The longest secret of which a cut line may hold half. Half a secret has no recognisable form, and differs from the
 * value that is searched for.
 */
const MAX_SECRET_LENGTH = 4096;

/** A line without secrets, in at most `max` bytes. Replaced bad bytes and secrets may be longer than the originals. */
function storedLine(line: SplitLine, redactor: Redactor, max: number) {
  const { text, cut = 0 } = line;
  const begun = cut === 0 ? text : text.slice(0, -cutMark(cut).length);
  const safe = cut === 0 ? text : begun.slice(0, Math.max(0, begun.length - MAX_SECRET_LENGTH));
  const clean = redactor.line(safe);
  const before = cut + Buffer.byteLength(begun) - Buffer.byteLength(safe);
  if (before === 0 && Buffer.byteLength(clean) <= max) return { text: clean, cut: 0 };
  const head = createOutputBuffer({ maxBytes: Math.max(0, max - MARK_BYTES) });
  head.push(Buffer.from(clean));
  const missing = before + head.droppedBytes();
  return { text: `${head.text()}${cutMark(missing)}`, cut: missing };
}

/** The system may write only a part, and fail after that. */
function writeAll(
  file: number,
  bytes: Uint8Array,
  before: () => void,
): { readonly written: number; readonly error: string | null } {
  let written = 0;
  try {
    before();
    while (written < bytes.length) written += writeSync(file, bytes, written);
    return { written, error: null };
  } catch (error) {
    return { written, error: error instanceof Error ? error.message : String(error) };
  }
}

/** An incomplete line is worse than none: readers wait for its end. */
export function cutBack(file: number, length: number): void {
  try {
    ftruncateSync(file, length);
  } catch {
    // Not a regular file, or the disk is gone: the file stays as it is.
  }
}

function syncQuietly(file: number): void {
  try {
    fsyncSync(file);
  } catch {
    // Pipes and devices cannot be made durable. A failing disk already failed for the lines before.
  }
}
