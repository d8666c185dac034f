/** What a screen that shows a diff gives to it and gets from it. */
import type { ReactNode } from "react";
import type { Annotated } from "./bodies.ts";
import type { LinePlace, Side } from "./patch/line-of.ts";

export interface Annotation extends Annotated {
  readonly content: ReactNode;
}

export type CommentSides = "both" | "new" | "none";

/** Where to go: a file, or a line of it. */
export interface Place {
  readonly path: string;
  readonly side?: Side;
  readonly line?: number;
}

/** What keys do. */
export interface DiffHandle {
  readonly moveLine: (step: 1 | -1) => void;
  readonly moveChange: (step: 1 | -1) => void;
  readonly moveFile: (step: 1 | -1) => void;
  readonly show: (place: Place) => void;
  /** From here on, moving selects lines. Again: no more. */
  readonly select: () => void;
  /** The lines that are selected, or the one with the cursor. */
  readonly selected: () => LinePlace | null;
  /** The text of lines as it is shown; null if it is not there. */
  readonly textOf: (place: LinePlace) => string | null;
}
