/** Sets text in columns, wide characters counted as two; a row that does not fit takes more lines. */
import { columnsOf } from "../../contract/columns.ts";

/**
 * Lines with a heading; every column is as wide as its widest cell, and the last one is not padded. `columns` is the
 * window's width.
 */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = Number.POSITIVE_INFINITY,
): string {
  const widths = head.map((title, column) =>
    Math.max(columnsOf(title), ...rows.map((row) => columnsOf(row[column] ?? ""))),
  );
  const lines = [head, ...rows].map((row) => lineOf(row, widths));
  if (lines.every((line) => columnsOf(line) <= columns)) return written(lines);
  const halves = inTwoLines(widths, columns);
  if (halves === null) return written(rows.flatMap((row) => foldedRow(row, columns)));
  return written([head, ...rows].flatMap((row) => twoLines(row, widths, halves)));
}

function written(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/**
 * How many columns stand in the first line, if two lines are enough. A last column alone may be wider than the
 * window.
 */
function inTwoLines(widths: readonly number[], columns: number): number | null {
  const first = widths.findIndex((_, at) => widthOf(widths.slice(0, at + 1)) > columns);
  const second = widths.slice(first);
  const fits = second.length === 1 || INDENT.length + widthOf(second) <= columns;
  return first > 0 && fits ? first : null;
}

const GAP = "  ";
const INDENT = "  ";

function widthOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
}

/** The second line is left out if it says nothing. */
function twoLines(row: readonly string[], widths: readonly number[], first: number): string[] {
  const rest = row.slice(first);
  const second = rest.some(saysSomething) ? [`${INDENT}${lineOf(rest, widths.slice(first))}`] : [];
  return [lineOf(row.slice(0, first), widths), ...second];
}

function saysSomething(cell: string): boolean {
  return cell !== "" && cell !== "-";
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(cell))))
    .join(GAP)
    .trimEnd();
}

/** The row broken between its cells, without empty ones. The terminal wraps a cell that is wider than the window. */
function foldedRow([first = "", ...others]: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  let line = first;
  for (const cell of others.filter(saysSomething)) {
    const longer = `${line}${GAP}${cell}`;
    if (columnsOf(longer) > columns) lines.push(line);
    line = columnsOf(longer) > columns ? `${INDENT}${cell}` : longer;
  }
  return [...lines, line].filter((each) => each !== "");
}
