/** Writes a number of bytes in a few characters. */

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** `12 B`, `3.4 MiB`; a dash if the size was not counted. */
export function sizeText(bytes: number | null): string {
  if (bytes === null) return "-";
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const size = bytes / 1024 ** power;
  return `${power === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[power]}`;
}
