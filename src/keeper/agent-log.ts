/** Writes what an agent prints to the run's folder, line by line and redacted, within a limit, and notices when the disk is full. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Redactor } from "../domain/agent/redact.ts";
import { createLineSplitter, type SplitLine } from "../utils/json-lines.ts";
import { dropOldest } from "./drop-oldest.ts";

export interface AgentLog {
  /** Takes the next bytes of the stream; done once their complete lines are handed to the system. */
  write(chunk: Uint8Array): void;
  /** Writes an unfinished last line, makes all of it durable and closes the file. */
  close(): void;
}

export interface AgentLogOptions {
  /** Appended to, made with mode 0600. */
  readonly path: string;
  readonly redactor: Redactor;
  /** Called with each line as the agent printed it. */
  readonly onLine: (line: string) => void;
  /** Called once, with the reason, when a line could not be written; from then on lines are dropped. */
  readonly onFull: (reason: string) => void;
  /**
   * Most bytes of the file, and what happens to a line beyond: it and all others are dropped, or the oldest are. `onReached` is
   * called once, where more was printed too: a line without an end is never written down.
   */
  readonly limit:
    | { readonly bytes: number; readonly drops: "newest"; readonly onReached: () => void }
    | { readonly bytes: number; readonly drops: "oldest" };
}

const LINE_FEED = 0x0a;

/** A log over one file. Writes are synchronous: the keeper has nothing better to do, and a slow disk slows the agent. */
export function createAgentLog(options: AgentLogOptions): AgentLog {
  const file = openSync(options.path, "a", 0o600);
  const splitter = createLineSplitter();
  let wholeLines = fstatSync(file).size;
  let printed = wholeLines;
  let full = false;
  const reach = reachedOnce(options.limit);

  const noRoom = (error: string): void => {
    full = true;
    cutBack(file, wholeLines);
    options.onFull(error);
  };

  const write = (bytes: Uint8Array): void => {
    const { written, error } = writeAll(file, bytes);
    wholeLines += bytes.subarray(0, written).lastIndexOf(LINE_FEED) + 1;
    if (error !== null) noRoom(error);
  };

  const shorten = (keep: number): void => {
    try {
      wholeLines = dropOldest(options.path, { size: wholeLines, keep });
    } catch (error) {
      noRoom(reasonOf(error));
    }
  };

  const give = (lines: readonly SplitLine[]): void => {
    for (const { text } of lines) options.onLine(text);
    if (lines.length === 0 || full) return;
    const { limit, redactor } = options;
    const bytes = redacted(lines, redactor);
    if (limit.drops === "oldest") {
      write(bytes);
      if (wholeLines > limit.bytes) shorten(Math.floor(limit.bytes / 2));
      return;
    }
    const room = limit.bytes - wholeLines;
    write(linesWithin(bytes, room));
    if (full || bytes.length <= room) return;
    full = true;
    reach();
  };

  return {
    write: (chunk) => {
      give(splitter.push(chunk));
      printed += chunk.length;
      if (printed > options.limit.bytes) reach();
    },
    close: () => {
      const last = splitter.end();
      if (last) give([last]);
      if (!full) syncQuietly(file);
      closeSync(file);
    },
  };
}

/** Says it the first time. */
function reachedOnce(limit: AgentLogOptions["limit"]): () => void {
  let isReached = false;
  return () => {
    if (limit.drops === "newest" && !isReached) limit.onReached();
    isReached = true;
  };
}

function redacted(lines: readonly SplitLine[], redactor: Redactor): Buffer {
  return Buffer.from(lines.map(({ text }) => `${redactor.line(withoutHalfSecret(text))}\n`).join(""));
}

/** Longest secret that a line which was cut may hold half of. */
const LONGEST_SECRET = 4096;

/** Of a line that was cut: half a secret has no shape, and is not the value that is looked for. */
function withoutHalfSecret(text: string): string {
  const mark =
    text.length < 2 * LONGEST_SECRET || !text.endsWith(" bytes]") ? -1 : text.lastIndexOf("… [cut: ");
  return mark < 0 ? text : text.slice(0, Math.max(0, mark - LONGEST_SECRET)) + text.slice(mark);
}

/** The whole lines among the first `room` bytes. */
function linesWithin(bytes: Buffer, room: number): Uint8Array {
  if (bytes.length <= room) return bytes;
  return bytes.subarray(0, room <= 0 ? 0 : bytes.lastIndexOf(LINE_FEED, room - 1) + 1);
}

/** The system may take less than all at once, and fail after that. */
function writeAll(
  file: number,
  bytes: Uint8Array,
): { readonly written: number; readonly error: string | null } {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(file, bytes, written);
    return { written, error: null };
  } catch (error) {
    return { written, error: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A torn line is worse than none: readers wait for its end. */
function cutBack(file: number, length: number): void {
  try {
    ftruncateSync(file, length);
  } catch {
    // Not a regular file, or the disk is gone: what is there is there.
  }
}

function syncQuietly(file: number): void {
  try {
    fsyncSync(file);
  } catch {
    // Pipes and devices cannot be made durable; a disk that fails now failed the lines before already.
  }
}
