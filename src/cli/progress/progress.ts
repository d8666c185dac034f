/** Declares how progress is shown, live or in plain lines. */
import type { Row } from "./rows.ts";

export interface Progress {
  /** The state that is known now. */
  show(rows: readonly Row[]): void;
  /** A line that stays, above the live ones. */
  say(line: string): void;
  /** Draws for the last time. */
  end(): void;
}
