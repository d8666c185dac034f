/** Measures and cuts text by its columns on a terminal, wide East Asian characters included. */
import { eastAsianWidth } from "get-east-asian-width";

const ASCII = /^[ -~]*$/;
/** A character with the marks and joiners that follow it. */
const CLUSTER = /.[\p{Mark}\u200b-\u200d]*/gsu;
const ZERO_WIDTH = /^[\p{Mark}\u200b-\u200d]/u;
/** Asks for the form of the character before it that is a wide picture. */
const AS_EMOJI = "\ufe0f";

/** Columns that `text` takes on a terminal. */
export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  return clustersOf(text).reduce((columns, cluster) => columns + columnsOfOne(cluster), 0);
}

/** `text` itself if it fits into `max` columns, else cut at a word with `…`. Without words it is cut anywhere. */
export function cutToColumns(text: string, max: number): string {
  if (columnsOf(text) <= max) return text;
  let kept = "";
  let columns = 0;
  for (const cluster of clustersOf(text)) {
    columns += columnsOfOne(cluster);
    if (columns > max - 1) break;
    kept += cluster;
  }
  const lastSpace = kept.lastIndexOf(" ");
  const atWord = lastSpace > kept.length / 2 ? kept.slice(0, lastSpace) : kept;
  return `${atWord.trimEnd()}…`;
}

/**
 * Lines of at most `max` columns, broken at spaces. Longer words stay whole; text without spaces is broken anywhere.
 */
export function wrapToColumns(text: string, max: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, max));
}

function wrapLine(line: string, max: number): string[] {
  const indent = /^\s*(?:[-*] )?/.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\s)/)) {
    if (current.trim() !== "" && columnsOf(current) + columnsOf(word.trimEnd()) > max) {
      lines.push(current.trimEnd());
      current = " ".repeat(indent);
    }
    current += word;
    while (hasWide(current) && columnsOf(current) > max) {
      const [head, rest] = breakWide(current, max);
      lines.push(head);
      current = rest;
    }
  }
  return [...lines, current.trimEnd()];
}

function breakWide(text: string, max: number): [string, string] {
  let head = "";
  let columns = 0;
  for (const cluster of clustersOf(text)) {
    columns += columnsOfOne(cluster);
    // The first one is taken in any case: else a place of one column would never be filled.
    if (columns > max && head !== "") break;
    head += cluster;
  }
  return [head, text.slice(head.length)];
}

const hasWide = (text: string) => clustersOf(text).some((cluster) => columnsOfOne(cluster) === 2);

const clustersOf = (text: string): readonly string[] => text.match(CLUSTER) ?? [];

function columnsOfOne(cluster: string): number {
  if (ZERO_WIDTH.test(cluster)) return 0;
  return cluster.includes(AS_EMOJI) ? 2 : eastAsianWidth(cluster.codePointAt(0) ?? 0);
}
