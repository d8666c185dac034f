/** Counts what the hostile and crash suites tried, for the figures of docs/status.md: nothing unless `TAZUNA_TALLY` names a file. */
import { appendFileSync } from "node:fs";

/** `attack`: something a hostile agent or repository tried. `fault`: something of the world that was made to fail. `kill`: a `kill -9` of ours. */
export type Tried = "attack" | "fault" | "kill";

/**
 * Adds one line `KIND UNDER WHAT` to the file that `TAZUNA_TALLY` names. Called after the outcome was checked, so
 * that a figure counts only what a test really judged.
 *
 * @param under what held meanwhile (`sandbox`, `guard`), or `-` if that makes no difference
 */
export function tally(tried: Tried, what: string, { under = "-" } = {}): void {
  const file = process.env.TAZUNA_TALLY;
  if (file) appendFileSync(file, `${tried} ${under} ${what.replaceAll("\n", " ")}\n`);
}
