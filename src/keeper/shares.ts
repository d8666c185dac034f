/** Divides a stream's storage limit between its parts, so that together they never exceed it. */
import { MAX_LINE_BYTES } from "../utils/files/line-splitter.ts";

/** In bytes. A line costs at least `MIN_COST` of them. */
export interface Shares {
  /** The beginning. */
  readonly head: number;
  /** A line; a longer one is cut. */
  readonly line: number;
  /**
   * The newest lines, or the newest line alone if it is longer. Written at most twice: when a turn ends, and at the
   * end.
   */
  readonly tail: number;
  /** Lines of the middle that count. */
  readonly counts: number;
  /** Lines of the middle that wait for an answer. */
  readonly asks: number;
}

/** The size limit of the end, which is held in memory. */
const MAX_TAIL_BYTES = 1024 * 1024;

/**
 * The shares of one start, from a limit for all starts of a run: earlier ones stored `spent`. A quarter of the rest
 * is reserved for later starts. The last sixteenth is for the notes about missing lines.
 */
export function sharesOf(limit: number, spent: number): Shares {
  const bytes = Math.floor((Math.max(0, limit - spent) * 3) / 4);
  const eighth = Math.floor(bytes / 8);
  return {
    head: Math.floor(bytes / 2),
    line: Math.min(MAX_LINE_BYTES, eighth),
    tail: Math.min(MAX_TAIL_BYTES, eighth),
    counts: eighth,
    asks: Math.floor(bytes / 16),
  };
}
