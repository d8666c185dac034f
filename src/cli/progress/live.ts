/** Keeps live lines at the bottom of a terminal: rewritten in place, only if they changed, in one write. */
import { columnsOf } from "../../contract/columns.ts";
import { cleanLine, cleanText } from "../../contract/text.ts";
import type { Terminal } from "../shared/terminal.ts";
import type { Progress } from "./progress.ts";
import { drawRows, type Row } from "./rows.ts";

const TICK_MS = 1000;
const MIN_MS_BETWEEN_DRAWINGS = 100;
// Terminals that support it show everything between the two at once; the others ignore it.
const BEGIN = "\u001b[?2026h";
const END = "\u001b[?2026l";
// New text is written over the old, and only the rest of the old is cleared: nothing flickers.
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

export function createLiveProgress({ stderr, now, every }: Terminal): Progress {
  let rows: readonly Row[] = [];
  let drawn: readonly string[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let late = false;

  const draw = () => {
    const size = stderr.size();
    const lines = windowed(rows, size.rows - 1).flatMap((part) =>
      typeof part === "string"
        ? [part]
        : drawRows(part, { columns: size.columns, now: now(), colour: stderr.colour }),
    );
    drawnAt = now();
    late = false;
    if (lines.length === drawn.length && lines.every((line, index) => line === drawn[index])) return;
    const text = lines.map((line) => `${line}${CLEAR_LINE}\n`).join("");
    stderr.write(`${BEGIN}${backTo(drawn, size.columns)}${text}${CLEAR_BELOW}${END}`);
    drawn = lines;
  };
  const stop = every(TICK_MS, draw);
  const stopLate = every(MIN_MS_BETWEEN_DRAWINGS, () => {
    if (late) draw();
  });
  return {
    show(next) {
      rows = next;
      late = true;
      if (now() - drawnAt >= MIN_MS_BETWEEN_DRAWINGS) draw();
    },
    say(line) {
      stderr.write(`${backTo(drawn, stderr.size().columns)}${CLEAR_BELOW}${cleanLine(line)}\n`);
      drawn = [];
      draw();
    },
    end() {
      stop();
      stopLate();
      draw();
    },
  };
}

/** Moves to the first drawn line. A window that became narrower has wrapped the lines. */
function backTo(drawn: readonly string[], columns: number): string {
  const height = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
  return height === 0 ? "" : `\u001b[${height}A\r`;
}

function widthOf(line: string): number {
  return columnsOf(cleanText(line));
}

/** As many rows as fit, unfinished runs first; the rest is counted. */
function windowed(rows: readonly Row[], max: number): (readonly Row[] | string)[] {
  if (rows.length <= max) return [rows];
  const going = rows.filter((row) => row.run.ended_at === null);
  const ended = rows.filter((row) => row.run.ended_at !== null);
  const shown = [...going, ...ended].slice(0, Math.max(1, max - 1));
  return [shown, `  … and ${rows.length - shown.length} more`];
}
