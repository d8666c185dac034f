/** Declares how progress is shown, live or in plain lines. */
import type { Row } from "./rows.ts";

export interface Progress {
  /** Shows the latest known state. */
  show(rows: readonly Row[]): void;
  /** Prints a line that stays, above the live ones. */
  say(line: string): void;
  /** Draws for the last time. */
  end(): void;
}
