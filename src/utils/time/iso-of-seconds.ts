/** Writes a time that a file or a program gives in seconds since 1970. */

/** The end of the year 9999. A commit may have any later date, but no calendar has it. */
const LAST_SECOND = 253_402_300_799;

/** UTC ISO, with a year of four digits. What is no number counts as 1970. */
export function isoOfSeconds(seconds: string | undefined): string {
  const value = Number(seconds ?? 0);
  const known = Number.isFinite(value) ? Math.min(Math.max(value, 0), LAST_SECOND) : 0;
  return new Date(known * 1000).toISOString();
}
