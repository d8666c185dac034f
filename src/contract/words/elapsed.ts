/** Writes a span of time as people read it. */

/** Such as `7s`, `3m 07s`, `2h 05m`; never negative, since clocks differ. */
export function elapsedText(ms: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
}
