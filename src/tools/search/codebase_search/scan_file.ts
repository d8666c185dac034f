/** Searches one file line by line; it holds only one piece of it and the lines around a match. */
import { closeSync, readSync } from "node:fs";
import { cutText } from "../../exec/exec_command/cut_text.ts";
import { openFile } from "../../files/open-file.ts";
import type { FoundLine } from "./contract.ts";
import { isBetter, kindOfMatch, type MatchKind } from "./rank_line.ts";
import type { Span, SpanFinder } from "./run_regex.ts";

/** Lets other work run if it is time, and then says whether the search must end. Mostly it is not time. */
export type Pause = () => false | Promise<boolean>;

interface FileToScan {
  readonly root: string;
  /** Its real absolute path, and the same path as it is shown. */
  readonly path: string;
  readonly shown: string;
  readonly find: SpanFinder;
  readonly contextLines: number;
  readonly onLine: (found: FoundLine) => void;
  readonly pause: Pause;
}

/** The result for a file. `long`: only the beginning of some line was searched. */
export type Scanned = "searched" | "long" | "binary" | "unreadable" | "stopped";

const CHUNK = 256 * 1024;
const SNIFFED = 8 * 1024;
/** UTF-16 units of a line that are searched. */
const MAX_LINE_LENGTH = 10_000;
/** UTF-16 units of a line that are shown. */
const MAX_SHOWN_LENGTH = 400;
/** How many matches in one line are compared to find the best one. */
const MAX_IN_LINE = 20;

export async function scanFile(file: FileToScan): Promise<Scanned> {
  const opened = openFile(file.root, file.path);
  if (opened.isErr()) return "unreadable";
  const { descriptor } = opened.value;
  try {
    return await scan(descriptor, file);
  } catch {
    // A read error of the disk must not end the whole search.
    return "unreadable";
  } finally {
    closeSync(descriptor);
  }
}

async function scan(descriptor: number, file: FileToScan): Promise<Scanned> {
  const bytes = Buffer.allocUnsafe(CHUNK);
  const decoder = new TextDecoder();
  const lines = createLineScanner(file);
  for (let first = true; ; first = false) {
    const read = readSync(descriptor, bytes, 0, CHUNK, null);
    if (first && isBinary(bytes.subarray(0, Math.min(read, SNIFFED)))) return "binary";
    const text = decoder.decode(bytes.subarray(0, read), { stream: read > 0 });
    for (let at = 0; at < text.length; ) {
      const feed = text.indexOf("\n", at);
      const end = feed === -1 ? text.length : feed;
      lines.push(text.slice(at, end), feed !== -1);
      at = end + 1;
      const pause = file.pause();
      if (pause !== false && (await pause)) return "stopped";
    }
    if (read === 0) break;
  }
  lines.end();
  return lines.hasLong() ? "long" : "searched";
}

/** By a zero byte, or the byte order mark of UTF-16. */
function isBinary(head: Uint8Array): boolean {
  const [one, two] = head;
  return head.includes(0) || (one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff);
}

/** Joins pieces of lines, and checks each line once it is complete. */
function createLineScanner({ shown: path, find, contextLines, onLine }: FileToScan) {
  let open = "";
  let isOpen = false;
  let isLong = false;
  let number = 0;
  const before: string[] = [];
  const waiting: { readonly after: string[] }[] = [];

  const look = (raw: string) => {
    number += 1;
    const whole = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const { text, cut } = cutText(whole, MAX_LINE_LENGTH);
    isLong = isLong || cut;
    if (contextLines > 0) {
      const head = shownFrom(text, 0);
      for (const found of waiting) found.after.push(head);
      if (waiting[0]?.after.length === contextLines) waiting.shift();
    }
    const best = bestMatch(text, find);
    if (best !== null) {
      const after: string[] = [];
      const line = { path, line: number, column: best.span.start + 1, kind: best.kind };
      onLine({ ...line, text: shownFrom(text, best.span.start), before: [...before], after });
      if (contextLines > 0) waiting.push({ after });
    }
    if (contextLines === 0) return;
    before.push(shownFrom(text, 0));
    if (before.length > contextLines) before.shift();
  };

  const end = () => {
    if (isOpen) look(open);
    [open, isOpen] = ["", false];
  };

  return {
    push: (piece: string, ends: boolean) => {
      isOpen = isOpen || piece !== "" || ends;
      // One unit beyond the limit shows that the line is long. One more makes room for a carriage return.
      if (open.length <= MAX_LINE_LENGTH + 1) open += piece.slice(0, MAX_LINE_LENGTH + 2 - open.length);
      if (ends) end();
    },
    end,
    hasLong: () => isLong,
  };
}

function bestMatch(line: string, find: SpanFinder): { readonly span: Span; readonly kind: MatchKind } | null {
  let best: { span: Span; kind: MatchKind } | null = null;
  let from = 0;
  for (let count = 0; count < MAX_IN_LINE; count++) {
    const span = find(line, from);
    if (span === null) break;
    const kind = kindOfMatch(line, span);
    if (best === null || isBetter(kind, best.kind)) best = { span, kind };
    if (kind === "definition") break;
    from = Math.max(span.end, span.start + 1);
    if (from > line.length) break;
  }
  return best;
}

/** A long line, from a little before the match. */
function shownFrom(line: string, match: number): string {
  if (line.length <= MAX_SHOWN_LENGTH) return line;
  const start = Math.max(0, Math.min(match - 100, line.length - MAX_SHOWN_LENGTH));
  const isSplit = start > 0 && /[\udc00-\udfff]/.test(line.charAt(start));
  return cutText(line.slice(isSplit ? start + 1 : start), MAX_SHOWN_LENGTH).text;
}
