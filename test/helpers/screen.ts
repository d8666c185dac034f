/** Shows what a terminal would show after everything was written to it; knows the few sequences that we use. */

/** The lines of the screen, without empty ones at the end. */
export function screenOf(text: string, { columns }: { readonly columns: number }): string[] {
  const lines: string[] = [""];
  let row = 0;
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this reads
  const pattern = /\u001b\[(\?)?(\d*)([A-Za-z])|(\r)|(\n)|([^\u001b\r\n]+)/g;
  for (const [, , number, letter, carriage, newline, words] of text.matchAll(pattern)) {
    if (letter === "A") row = Math.max(0, row - Number(number || 1));
    if (letter === "K") lines[row] = (lines[row] ?? "").slice(0, column);
    if (letter === "J") lines.splice(row, Number.POSITIVE_INFINITY, (lines[row] ?? "").slice(0, column));
    if (carriage !== undefined) column = 0;
    if (newline !== undefined) {
      row += 1;
      column = 0;
      while (lines.length <= row) lines.push("");
    }
    if (words !== undefined) {
      if (words.length + column > columns) throw new Error(`a line wraps: ${words}`);
      const line = (lines[row] ?? "").padEnd(column);
      lines[row] = line.slice(0, column) + words + line.slice(column + words.length);
      column += words.length;
    }
  }
  while (lines.at(-1) === "") lines.pop();
  return lines;
}
