/** Finds the secrets of a file that is one table, whose first line names the columns. */
import { isRealPassword, isRealSecret } from "../judge-value.ts";
import type { FoundSecret } from "./compile.ts";

const TABLE = /\.(?:csv|tsv|psv)$/i;
const PASSWORDS = /(?:^|[ _-])(?:pass(?:word|wd|phrase)?|pwd)$/i;
const SECRETS =
  /(?:^|[ _-])(?:secret|token|api[ _-]?key|secret[ _-]?(?:access[ _-]?)?key|access[ _-]?token)$/i;
const MAX_ROWS = 20_000;

/** Each row is one line of cells with their offsets. */
export function secretsOfTable(text: string, path: string): readonly FoundSecret[] {
  if (!TABLE.test(path)) return [];
  const heads = text.slice(0, Math.max(0, text.indexOf("\n")));
  const by = [",", ";", "\t", "|"].find((sign) => heads.includes(sign));
  if (by === undefined) return [];
  const named = cellsOf(heads, by).flatMap(({ value }, column) =>
    PASSWORDS.test(value) || SECRETS.test(value) ? [{ column, isPassword: PASSWORDS.test(value) }] : [],
  );
  if (named.length === 0) return [];
  const found: FoundSecret[] = [];
  let at = heads.length + 1;
  for (const line of text.slice(at).split("\n", MAX_ROWS)) {
    const cells = cellsOf(line, by);
    for (const { column, isPassword } of named) {
      const { value, start } = cells[column] ?? { value: "", start: 0 };
      if (!isSecretCell(value, isPassword)) continue;
      found.push({
        name: "column of secrets",
        hasPrefix: false,
        start: at + start,
        end: at + start + value.length,
      });
    }
    at += line.length + 1;
  }
  return found;
}

/** Cells without their quotes; a separator between two quotes does not end a cell. */
function cellsOf(line: string, by: string): readonly { readonly value: string; readonly start: number }[] {
  const cells: { value: string; start: number }[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= line.length; at++) {
    const one = line.charAt(at);
    if (one === '"') isQuoted = !isQuoted;
    if (at < line.length && (isQuoted || one !== by)) continue;
    const cell = line.slice(start, at).trimEnd();
    const isWhole = cell.length >= 2 && cell.startsWith('"') && cell.endsWith('"');
    cells.push(isWhole ? { value: cell.slice(1, -1), start: start + 1 } : { value: cell, start });
    start = at + 1;
  }
  return cells;
}

const MIN_LENGTH = 8;
const HASH = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** A table of passwords may hold their hashes as well. */
function isSecretCell(value: string, isPassword: boolean): boolean {
  if (value.length < MIN_LENGTH || /\s/.test(value) || HASH.test(value)) return false;
  return isPassword ? /\d/.test(value) && isRealPassword(value) : isRealSecret(value);
}
