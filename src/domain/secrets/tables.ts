/** Judges blocks of several values that a name elsewhere marks as secrets. */
import { decodedText, isRealPassword, isRealSecret } from "./judge-value.ts";
import type { FoundShape } from "./shape.ts";

/** How far the line with a manifest's kind may be. */
const MAX_MANIFEST_LENGTH = 2_000;

/** Whether these lines are the data of a Kubernetes manifest for secrets, and one value decodes to a real one. */
export function isOfSecret(lines: string, { text, at }: FoundShape): boolean {
  const before = text.slice(Math.max(0, at - MAX_MANIFEST_LENGTH), at);
  const after = text.slice(at, at + MAX_MANIFEST_LENGTH);
  const manifest = (before.split(/^---/m).at(-1) ?? "") + (after.split(/^---/m)[0] ?? "");
  if (!/(?:^[ \t-]{0,20}|["'])kind["']?:\s{0,4}["']?Secret\b/m.test(manifest)) return false;
  return [...lines.matchAll(/:\s+(?:[>|][-+]?\s+)?["']?([^\s"',]+)|:\s*"([^\s"]+)"/g)].some(
    ([, plain, quoted]) => {
      const said = decodedText(plain ?? quoted ?? "")?.trim() ?? "";
      return said !== "" && (isRealPassword(said) || isRealSecret(said));
    },
  );
}

/** The length of a heading line before the name. */
const MAX_HEADINGS_LENGTH = 300;

const COLUMN = /^"?[\w ]{0,40}(?:password|secret|api[_ ]key|token)"?$/i;

/** Whether the line below the headings has a real secret in the column of that name. */
export function holdsSecretColumn(row: string, { text, at }: FoundShape): boolean {
  const before = /[\w ,;|\t"-]*$/.exec(text.slice(Math.max(0, at - MAX_HEADINGS_LENGTH), at))?.[0] ?? "";
  // In code, a name behind a sign looks the same.
  if (/[=(.]/.test(text.charAt(at - before.length - 1))) return false;
  const heads = (before + text.slice(at, text.indexOf("\n", at))).trim();
  const by = [",", ";", "\t"].find((sign) => heads.includes(sign));
  if (by === undefined) return false;
  return isSecretRow(row.trim().split(by), heads.split(by));
}

/** The same for a table with bars between its cells. */
export function holdsSecretColumnOfMarkdown(_: string, { text, at, match }: FoundShape): boolean {
  const from = text.lastIndexOf("\n", at) + 1;
  const lines = text.slice(from, at + match[0].length).split(/\r?\n/);
  const [heads = [], , cells = []] = lines.map((line) =>
    line.split("|").map((cell) => cell.replaceAll("`", "").trim()),
  );
  return isSecretRow(cells, heads);
}

function isSecretRow(cells: readonly string[], names: readonly string[]): boolean {
  if (cells.length !== names.length) return false;
  return names.some((name, index) => {
    const cell = (cells[index] ?? "").trim().replace(/^"(.*)"$/, "$1");
    return COLUMN.test(name.trim()) && !/\s/.test(cell) && cell.length >= 8 && isRealSecretCell(cell, name);
  });
}

function isRealSecretCell(cell: string, name: string): boolean {
  return /password/i.test(name)
    ? isRealPassword(cell) && /\d/.test(cell)
    : isRealSecret(cell) ||
        (/secret|api/i.test(name) && /^[0-9a-f]{32,}$/i.test(cell) && isRealPassword(cell));
}
