/** Sets text in columns, wide characters counted as two; where they do not fit, a row takes several lines. */
import { columnsOf } from "../../contract/text.ts";

/** Lines with a heading; every column as wide as its widest cell, the last one not padded. `columns` is the window's width. */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = Number.POSITIVE_INFINITY,
): string {
  const widths = head.map((title, column) =>
    Math.max(columnsOf(title), ...rows.map((row) => columnsOf(row[column] ?? ""))),
  );
  const lines = [head, ...rows].map((row) => lineOf(row, widths));
  const fits = lines.every((line) => columnsOf(line) <= columns);
  return (fits ? lines : rows.flatMap((row) => foldedRow(row, columns))).map((line) => `${line}\n`).join("");
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(cell))))
    .join("  ")
    .trimEnd();
}

/** The row broken between its cells, without those that say nothing; a cell that is wider than the window is left to the terminal. */
function foldedRow([first = "", ...others]: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  let line = first;
  for (const cell of others.filter((each) => each !== "" && each !== "-")) {
    const longer = `${line}  ${cell}`;
    if (columnsOf(longer) > columns) lines.push(line);
    line = columnsOf(longer) > columns ? `  ${cell}` : longer;
  }
  return [...lines, line].filter((each) => each !== "");
}
