/** Draws one line of code: its colours, and the words that were changed. */
import { Fragment, memo, type ReactNode } from "react";
import type { Marks } from "../patch/word-diff.ts";
import type { LineColours } from "./messages.ts";
import { HUES } from "./theme.ts";

interface CodeTextProps {
  readonly text: string;
  readonly colours: LineColours | undefined;
  readonly marks: Marks;
  readonly markAs: "ins" | "del";
}

export const CodeText = memo(function CodeText({ text, colours, marks, markAs: Mark }: CodeTextProps) {
  if (marks.length === 0) return coloured(text, colours, 0, text.length);
  const pieces: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    if (from > at) pieces.push(<Fragment key={at}>{coloured(text, colours, at, from)}</Fragment>);
    pieces.push(<Mark key={from}>{coloured(text, colours, from, to)}</Mark>);
    at = to;
  }
  if (at < text.length) pieces.push(<Fragment key={at}>{coloured(text, colours, at, text.length)}</Fragment>);
  return pieces;
});

function coloured(text: string, colours: LineColours | undefined, from: number, to: number): ReactNode {
  if (colours === undefined || colours.length === 0) return text.slice(from, to);
  const pieces: ReactNode[] = [];
  let start = 0;
  for (let index = 0; index < colours.length && start < to; index += 2) {
    const end = start + (colours[index] ?? 0);
    const hue = colours[index + 1] ?? 0;
    const piece = text.slice(Math.max(start, from), Math.min(end, to));
    if (end > from && piece !== "")
      pieces.push(
        hue === 0 ? (
          piece
        ) : (
          <span key={start} className={`code-${HUES[hue]}`}>
            {piece}
          </span>
        ),
      );
    start = end;
  }
  if (start < to) pieces.push(text.slice(Math.max(start, from), to));
  return pieces;
}
