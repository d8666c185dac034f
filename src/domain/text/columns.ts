/** Measures and cuts text by its columns on a terminal, wide East Asian characters included. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/u;
const ZERO_WIDTH = /\p{Mark}|\u200b|\u200c|\u200d|\ufe0f/u;

/** Columns that `text` takes on a terminal. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOfOne(character);
  return columns;
}

/** `text` itself if it fits into `most` columns, else cut at a word with `…` (anywhere, if it has no words). */
export function cutToColumns(text: string, most: number): string {
  if (columnsOf(text) <= most) return text;
  let kept = "";
  let columns = 0;
  for (const character of text) {
    columns += columnsOfOne(character);
    if (columns > most - 1) break;
    kept += character;
  }
  const lastSpace = kept.lastIndexOf(" ");
  const atWord = lastSpace > kept.length / 2 ? kept.slice(0, lastSpace) : kept;
  return `${atWord.trimEnd()}…`;
}

/**
 * Lines of at most `most` columns, broken at spaces. Longer words stay whole; text without spaces is broken anywhere.
 */
export function wrapToColumns(text: string, most: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, most));
}

function wrapLine(line: string, most: number): string[] {
  const indent = /^\s*(?:[-*] )?/.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\s)/)) {
    if (current.trim() !== "" && columnsOf(current) + columnsOf(word.trimEnd()) > most) {
      lines.push(current.trimEnd());
      current = " ".repeat(indent);
    }
    current += word;
    while (hasWide(current) && columnsOf(current) > most) {
      const [head, rest] = breakWide(current, most);
      lines.push(head);
      current = rest;
    }
  }
  return [...lines, current.trimEnd()];
}

function breakWide(text: string, most: number): [string, string] {
  let head = "";
  let columns = 0;
  for (const character of text) {
    columns += columnsOfOne(character);
    if (columns > most) break;
    head += character;
  }
  return [head, text.slice(head.length)];
}

const hasWide = (text: string) => WIDE.test(text);

function columnsOfOne(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
