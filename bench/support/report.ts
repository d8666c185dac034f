/** Prints what was measured: a table to read, and one line to keep. */
import { loadavg } from "node:os";
import { type Measured, medianOf, ratioOf } from "./rounds.ts";

/** A table with one line for each measure: its median, its ratio to the raw one, and the number to reach. */
export function printMeasures(
  title: string,
  measured: Measured,
  options: { readonly raw: string; readonly limits: Readonly<Record<string, number>> },
): void {
  const rows = [...measured.keys()].map((measure) => {
    const limit = options.limits[measure];
    return [
      measure,
      medianOf(measured, measure).toFixed(1),
      Math.min(...(measured.get(measure) ?? [])).toFixed(1),
      ratioOf(measured, measure, options.raw).toFixed(2),
      limit === undefined ? "" : `<= ${limit}`,
    ];
  });
  printTable(title, ["", "median ms", "least ms", "ratio", "must"], rows);
}

/** Columns as wide as they need to be, numbers at the right. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  console.log(`\n${title}`);
  for (const row of [head, ...rows]) console.log(`  ${line(row)}`);
}

/** `SUMMARY name key=value ... load=N`: the load average of the last minute says how busy the machine was. */
export function printSummary(name: string, values: Readonly<Record<string, string | number>>): void {
  const load = (loadavg()[0] ?? 0).toFixed(1);
  const said = Object.entries(values).map(([key, value]) => `${key}=${shown(value)}`);
  console.log(`SUMMARY ${name} ${said.join(" ")} load=${load}`);
}

function shown(value: string | number): string {
  if (typeof value === "string") return value;
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
