/** Finds secrets in Kubernetes manifests and in tables, if the name of the secret stands in another line. */
import { decodedText, isRealPassword, isRealSecret } from "./judge-value.ts";
import { type FoundShape, textBefore } from "./shape.ts";

/** Characters around the match in which the line with the manifest's kind is looked for. */
const MAX_MANIFEST_LENGTH = 2_000;

/** Whether these lines are the data of a Kubernetes Secret, and one value decodes to a real secret. */
export function isKubernetesSecret(lines: string, { text, at }: FoundShape): boolean {
  const before = textBefore(text, at, MAX_MANIFEST_LENGTH);
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

/** Characters before the match that may belong to the line of headings. */
const MAX_HEADINGS_LENGTH = 300;

const COLUMN = /^"?[\w ]{0,40}(?:password|secret|api[_ ]key|token)"?$/i;

/** Whether the line below the headings has a real secret in a column such as `password`. */
export function holdsSecretColumn(row: string, { text, at }: FoundShape): boolean {
  const before = /[\w ,;|\t"-]*$/.exec(textBefore(text, at, MAX_HEADINGS_LENGTH))?.[0] ?? "";
  // Then it is a name in code, such as `f(password, user)`, and no line of headings.
  if (/[=(.]/.test(text.charAt(at - before.length - 1))) return false;
  const headings = (before + text.slice(at, text.indexOf("\n", at))).trim();
  const by = [",", ";", "\t"].find((sign) => headings.includes(sign));
  if (by === undefined) return false;
  return isSecretRow(row.trim().split(by), headings.split(by));
}

/** The same for a Markdown table, with bars between its cells. */
export function holdsSecretColumnOfMarkdown(_: string, { text, at, match }: FoundShape): boolean {
  const from = text.lastIndexOf("\n", at) + 1;
  const lines = text.slice(from, at + match[0].length).split(/\r?\n/);
  const [headings = [], , cells = []] = lines.map((line) =>
    line.split("|").map((cell) => cell.replaceAll("`", "").trim()),
  );
  return isSecretRow(cells, headings);
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
