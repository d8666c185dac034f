/** Reads the number of a port. */

export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error("a number from 0 to 65535 is needed");
  return Number(text);
}
