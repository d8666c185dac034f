/** Sets one value in a JSON text and leaves every other character unchanged. */

/** `text` is valid JSON, an object at its top. Missing objects on the path are made. */
export function setInJson(text: string, path: readonly string[], value: unknown): string {
  let at = startOf(text, 0);
  for (const [index, key] of path.entries()) {
    const { members, close } = objectAt(text, at);
    // If a key occurs twice, the last one counts, as for `JSON.parse`.
    const member = members.findLast((one) => one.key === key);
    const rest = path.slice(index + 1);
    if (member === undefined) return insert(text, { at, members, close, key, value: nested(rest, value) });
    if (rest.length === 0 || text[member.start] !== "{")
      return text.slice(0, member.start) + written(nested(rest, value)) + text.slice(member.end);
    at = member.start;
  }
  return text;
}

interface Member {
  readonly key: string;
  readonly keyAt: number;
  /** The offset of its value. */
  readonly start: number;
  readonly end: number;
}

interface Place {
  /** The offset of the object's brace. */
  readonly at: number;
  readonly members: readonly Member[];
  readonly close: number;
  readonly key: string;
  readonly value: unknown;
}

/** After the last member, in the same layout. */
function insert(text: string, { at, members, close, key, value }: Place): string {
  const entry = `${JSON.stringify(key)}: ${written(value)}`;
  const last = members.at(-1);
  if (last !== undefined) {
    const before = members.at(-2);
    const from = before === undefined ? at + 1 : text.indexOf(",", before.end) + 1;
    const space = text.slice(from, last.keyAt);
    return `${text.slice(0, last.end)},${space === "" ? " " : space}${entry}${text.slice(last.end)}`;
  }
  const lineStart = text.lastIndexOf("\n", at) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? "";
  return `${text.slice(0, at)}{\n${indent}  ${entry}\n${indent}}${text.slice(close + 1)}`;
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

/** On one line, as people write short values. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${written(inner)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function objectAt(text: string, at: number): { readonly members: readonly Member[]; readonly close: number } {
  const members: Member[] = [];
  let next = startOf(text, at + 1);
  while (text[next] === '"') {
    const keyAt = next;
    const keyEnd = endOf(text, keyAt);
    const start = startOf(text, startOf(text, keyEnd) + 1);
    const end = endOf(text, start);
    members.push({ key: String(JSON.parse(text.slice(keyAt, keyEnd))), keyAt, start, end });
    next = startOf(text, end);
    if (text[next] === ",") next = startOf(text, next + 1);
  }
  return { members, close: next };
}

/** The offset of the first character from `at` on that is not a space. */
function startOf(text: string, at: number): number {
  let next = at;
  while (/\s/.test(text[next] ?? "")) next += 1;
  return next;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s"[\]{},:]+/y;
/** The text between two tokens. */
const BETWEEN = /[\s,:]*/y;

/** The offset after the value that begins at `at`. */
function endOf(text: string, at: number): number {
  let end = at;
  let depth = 0;
  do {
    const next = behind(BETWEEN, text, end);
    end = behind(TOKEN, text, next);
    if (end === next) throw new Error("the text is not JSON");
    if (text[next] === "[" || text[next] === "{") depth += 1;
    if (text[next] === "]" || text[next] === "}") depth -= 1;
  } while (depth > 0);
  return end;
}

/** The offset after the match at `at`; `at` itself if there is no match. */
function behind(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
