/** Decides which lines of a too long stream are kept: the first, the newest, and those that count. */
import type { Shares } from "./shares.ts";

/**
 * The importance of a line. `tells`: it may be dropped. `counts`: usage, the session, an answered question. `asks`:
 * the agent waits for a reaction. `ends`: it ends the turn.
 */
type Matter = "tells" | "counts" | "asks" | "ends";

/** The meaning of a line for its reader. */
export interface Meaning {
  readonly matter: Matter;
  /** For a line that asks: the answer if it cannot be kept. Null if no answer is allowed. */
  readonly refusal: string | null;
}

export interface KeptLine {
  readonly text: string;
  /** When it came, in milliseconds since 1970. */
  readonly ms: number;
}

interface ReadLine extends Meaning, KeptLine {}

interface CutMiddle {
  /** Takes the next line; returns the lines to write now, in order. */
  take(line: ReadLine): readonly KeptLine[];
  /** The newest lines, after one that says how many are missing. */
  end(): readonly KeptLine[];
  /** Bytes of the lines that are missing so far. */
  cutBytes(): number;
}

/** A short line costs its readers as much as one of this length, because both become an event. */
const MIN_COST = 128;

/** Written at the first place with missing lines. */
const BEGINNING = "… [cut: the agent printed more than is kept, and lines are missing from here on]";

/** The most questions that one start of an agent may ask: each answer is kept too, in another file. */
const MAX_QUESTIONS = 10_000;

interface CutOptions {
  readonly shares: Shares;
  /** Called with the answer to a line that asks and cannot be kept. */
  readonly refuse: (answer: string) => void;
}

export function createCutMiddle({ shares, refuse }: CutOptions): CutMiddle {
  const left = { head: shares.head, counts: shares.counts, asks: shares.asks };
  const tail = createTail(shares.tail);
  let dropped = { lines: 0, bytes: 0, ms: 0 };
  let announcedLines = 0;
  let ended = false;
  let questions = 0;

  const spend = (share: keyof typeof left, text: string, reserve = 0): boolean => {
    const cost = costOf(text);
    if (cost + reserve > left[share]) return false;
    left[share] -= cost;
    return true;
  };
  const drop = ({ text, ms }: ReadLine): readonly KeptLine[] => {
    const isFirst = dropped.lines === 0;
    dropped = { lines: dropped.lines + 1, bytes: dropped.bytes + Buffer.byteLength(text) + 1, ms };
    return isFirst ? [{ text: BEGINNING, ms }] : [];
  };
  const keepOrDrop = (line: ReadLine): readonly KeptLine[] =>
    line.matter === "counts" && spend("counts", line.text) ? [line] : drop(line);
  const wholeTail = (): readonly KeptLine[] => {
    const lines = tail.takeAll();
    if (dropped.lines === announcedLines) return lines;
    announcedLines = dropped.lines;
    return [{ text: cutNote(dropped), ms: dropped.ms }, ...lines];
  };

  const hold = (line: ReadLine): readonly KeptLine[] => {
    const now = tail.push(line).flatMap(keepOrDrop);
    if (line.matter !== "ends" || ended) return now;
    ended = true;
    return [...now, ...wholeTail()];
  };
  /**
   * Half of the share is for the answers to our requests. They cannot be refused, and nothing continues without them.
   */
  const takeAsking = (line: ReadLine): readonly KeptLine[] => {
    if (spend("asks", line.text, line.refusal === null ? 0 : shares.asks / 2))
      return [...tail.takeAll().flatMap(keepOrDrop), line];
    return line.refusal === null ? hold(line) : dropQuestion(line, line.refusal);
  };
  const dropQuestion = (line: ReadLine, refusal: string): readonly KeptLine[] => {
    refuse(refusal);
    return drop(line);
  };

  const take = (line: ReadLine): readonly KeptLine[] => {
    if (line.refusal !== null && ++questions > MAX_QUESTIONS) return dropQuestion(line, line.refusal);
    if (spend("head", line.text)) return [line];
    left.head = 0;
    return line.matter === "asks" ? takeAsking(line) : hold(line);
  };

  return { take, end: wholeTail, cutBytes: () => dropped.bytes };
}

/** The cost of a line for its share, in bytes. */
function costOf(text: string): number {
  return Math.max(Buffer.byteLength(text) + 1, MIN_COST);
}

/** The newest lines, in memory: at most `max` bytes of them, or the newest alone at any length. */
function createTail(max: number) {
  let lines: ReadLine[] = [];
  let first = 0;
  let size = 0;
  return {
    /** Returns those without space any more, oldest first. */
    push: (line: ReadLine): readonly ReadLine[] => {
      lines.push(line);
      size += costOf(line.text);
      const begun = first;
      for (; size > max && first < lines.length - 1; first += 1) size -= costOf(lines[first]?.text ?? "");
      const gone = lines.slice(begun, first);
      if (first > 1_000 && first > lines.length / 2) [lines, first] = [lines.slice(first), 0];
      return gone;
    },
    takeAll: (): readonly ReadLine[] => {
      const all = lines.slice(first);
      [lines, first, size] = [[], 0, 0];
      return all;
    },
  };
}

function cutNote({ lines, bytes }: { readonly lines: number; readonly bytes: number }): string {
  return `… [cut: ${lines} lines, ${bytes} bytes up to here]`;
}
