/** Keeps the newest output of a service in bounded memory; every character has a position that never changes. */

export type LogStream = "stdout" | "stderr";

export interface ServiceLog {
  push(stream: LogStream, text: string): void;
  /** From a position on, oldest first, at most `maxChars` of it; null is the end of the log, as much as fits. */
  read(request: LogRequest): LogPage;
  /** Told of everything that is pushed from now on; the answer ends that. */
  listen(listener: (stream: LogStream, text: string) => void): () => void;
}

export interface LogRequest {
  readonly stream: LogStream | "both";
  readonly after: number | null;
  /** UTF-16 units; at least two, so that any character fits. */
  readonly maxChars: number;
}

/** Positions count the UTF-16 units of both streams together, from 0. */
export interface LogPage {
  readonly text: string;
  /** Where to read on. */
  readonly cursor: number;
  /** Whether there is more after `cursor` that the request would match. */
  readonly more: boolean;
  /** How many units of both streams, of those asked for, were overwritten before they could be read. */
  readonly dropped: number;
}

interface Segment {
  readonly stream: LogStream;
  readonly from: number;
  readonly text: string;
}

/** A program that writes byte by byte to both streams in turn makes one segment a byte: their number is bounded too. */
const MOST_SEGMENTS = 16_384;
/** Small writes grow together until here; a larger segment would be kept for the sake of its last character. */
const SEGMENT_CHARS = 4096;
/** What of the bound is kept when it is reached. */
const KEPT_PART = 0.75;

/** At most `maxChars` UTF-16 units of both streams together, and once it was full never less than three quarters of them. */
export function createServiceLog({ maxChars }: { readonly maxChars: number }): ServiceLog {
  let segments: Segment[] = [];
  let oldest = 0;
  let end = 0;
  const listeners = new Set<(stream: LogStream, text: string) => void>();

  const append = (stream: LogStream, text: string): void => {
    const last = segments.at(-1);
    if (last?.stream === stream && last.text.length + text.length <= SEGMENT_CHARS)
      segments[segments.length - 1] = { ...last, text: last.text + text };
    else segments.push({ stream, from: end, text });
    end += text.length;
  };

  /** A good part of it at once, so that not every write moves the list. */
  const trim = (): void => {
    const tooMany = segments.length > MOST_SEGMENTS;
    if (end - oldest <= maxChars && !tooMany) return;
    const from = end - Math.ceil(maxChars * KEPT_PART);
    segments = segments
      .slice(tooMany ? MOST_SEGMENTS / 2 : 0)
      .flatMap((segment) => since(segment, from) ?? []);
    oldest = segments[0]?.from ?? end;
  };

  return {
    push: (stream, text) => {
      if (text === "") return;
      for (let at = 0; at < text.length; ) {
        const part = withoutHighTail(text.slice(at, at + SEGMENT_CHARS), text.length - at);
        append(stream, part);
        at += part.length;
      }
      trim();
      for (const listener of listeners) listener(stream, text);
    },
    read: ({ stream, after, maxChars: most }) => {
      const matching = segments.filter((segment) => stream === "both" || segment.stream === stream);
      if (after === null) return lastPage(matching, { most, oldest, end });
      return nextPage(matching, { most, after: Math.min(after, end), oldest, end });
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface Bounds {
  readonly most: number;
  readonly oldest: number;
  readonly end: number;
}

function lastPage(segments: readonly Segment[], { most, oldest, end }: Bounds): LogPage {
  const text = segments.map((segment) => segment.text).join("");
  const fits = text.length <= most ? text : withoutLowHead(text.slice(-most));
  return { text: fits, cursor: end, more: false, dropped: oldest };
}

function nextPage(
  segments: readonly Segment[],
  { most, after, oldest, end }: Bounds & { readonly after: number },
): LogPage {
  const dropped = Math.max(0, oldest - after);
  let text = "";
  for (const segment of segments) {
    const fresh = since(segment, after);
    if (fresh === null) continue;
    const room = most - text.length;
    if (fresh.text.length <= room) {
      text += fresh.text;
      continue;
    }
    const part = withoutHighTail(fresh.text.slice(0, room), fresh.text.length);
    return { text: text + part, cursor: fresh.from + part.length, more: true, dropped };
  }
  return { text, cursor: end, more: false, dropped };
}

/** What of a segment lies at `from` or behind it; null where nothing does. */
function since(segment: Segment, from: number): Segment | null {
  const skip = from - segment.from;
  if (skip <= 0) return segment;
  const rest = segment.text.slice(skip);
  const text = withoutLowHead(rest);
  return text === "" ? null : { ...segment, from: from + rest.length - text.length, text };
}

function withoutLowHead(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}

/** The head of a text of `length`, without the first half of a pair that the cut would split. */
function withoutHighTail(head: string, length: number): string {
  return head.length < length && /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head;
}
