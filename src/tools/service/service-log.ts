/** Keeps the newest output of a service in bounded memory; the position of a character never changes. */

export type LogStream = "stdout" | "stderr";

export interface ServiceLog {
  push(stream: LogStream, text: string): void;
  /** Reads from a position on, oldest first, at most `maxChars`. Null reads the end of the log, as much as fits. */
  read(request: LogRequest): LogPage;
  /** Calls the listener for everything pushed from now on. Call the returned function to stop that. */
  listen(listener: (stream: LogStream, text: string) => void): () => void;
}

interface LogRequest {
  readonly stream: LogStream | "both";
  readonly after: number | null;
  /** UTF-16 units. At least two, so that any character fits. */
  readonly maxChars: number;
}

/** Positions count the UTF-16 units of both streams together, from 0. */
interface LogPage {
  readonly text: string;
  /** The position from which to read on. */
  readonly cursor: number;
  /** Whether there is more after `cursor` that matches the request. */
  readonly more: boolean;
  /** How many requested units of both streams were overwritten before they could be read. */
  readonly dropped: number;
}

interface Segment {
  readonly stream: LogStream;
  readonly from: number;
  readonly text: string;
}

/** If a program writes single bytes to both streams in turn, each byte is a segment. So their number is limited too. */
const MAX_SEGMENTS = 16_384;
/** Small writes are joined up to this size. A larger segment would be kept as long as its last character. */
const SEGMENT_CHARS = 4096;
/** The part of the limit that is kept when the limit is reached. */
const KEPT_PART = 0.75;

/** At most `maxChars` UTF-16 units of both streams together. Once it was full, at least three quarters of that. */
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

  /** Removes a large part at once, so that not every write moves the list. */
  const trim = (): void => {
    const tooMany = segments.length > MAX_SEGMENTS;
    if (end - oldest <= maxChars && !tooMany) return;
    const from = end - Math.ceil(maxChars * KEPT_PART);
    segments = segments
      .slice(tooMany ? MAX_SEGMENTS / 2 : 0)
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
    read: ({ stream, after, maxChars: max }) => {
      const matching = segments.filter((segment) => stream === "both" || segment.stream === stream);
      if (after === null) return lastPage(matching, { max, oldest, end });
      return nextPage(matching, { max, after: Math.min(after, end), oldest, end });
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface Bounds {
  readonly max: number;
  readonly oldest: number;
  readonly end: number;
}

function lastPage(segments: readonly Segment[], { max, oldest, end }: Bounds): LogPage {
  const text = segments.map((segment) => segment.text).join("");
  const fits = text.length <= max ? text : withoutLowHead(text.slice(-max));
  return { text: fits, cursor: end, more: false, dropped: oldest };
}

function nextPage(
  segments: readonly Segment[],
  { max, after, oldest, end }: Bounds & { readonly after: number },
): LogPage {
  const dropped = Math.max(0, oldest - after);
  let text = "";
  for (const segment of segments) {
    const fresh = since(segment, after);
    if (fresh === null) continue;
    const room = max - text.length;
    if (fresh.text.length <= room) {
      text += fresh.text;
      continue;
    }
    const part = withoutHighTail(fresh.text.slice(0, room), fresh.text.length);
    return { text: text + part, cursor: fresh.from + part.length, more: true, dropped };
  }
  return { text, cursor: end, more: false, dropped };
}

/** The part of a segment at or after `from`; null if there is none. */
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
