/** Finds the members of a JSON text and their lines, and the first fault, which `JSON.parse` does not name. */

/** One key of an object, with the offsets of the key and of its value. */
export interface JsonMember {
  readonly key: string;
  /** Dotted, such as `checks.0.name`. */
  readonly path: string;
  /** How many objects and lists it is in. */
  readonly depth: number;
  readonly keyAt: number;
  readonly start: number;
  readonly end: number;
}

interface JsonLines {
  /** Dotted path of a key → its line, from 1. Keys after a fault are missing. */
  readonly keys: ReadonlyMap<string, number>;
  /** The line at which the text stops being JSON; null if it is JSON. */
  readonly fault: number | null;
}

export function jsonLines(text: string): JsonLines {
  const { members, fault } = jsonMembers(text);
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  const keys = new Map(members.map(({ path, keyAt }) => [path, lineAt(keyAt)]));
  return { keys, fault: fault === null ? null : lineAt(fault) };
}

const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string.
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LITERAL = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/**
 * Reads the text by RFC 8259. The members are in the order of their keys, those of an object after its own. `fault`
 * is the offset at which the text stops being JSON; the value of an unfinished member ends there.
 */
export function jsonMembers(text: string): {
  readonly members: readonly JsonMember[];
  readonly fault: number | null;
} {
  const reader = createReader(text);
  try {
    reader.value("", 0);
    reader.match(SPACE);
    return { members: reader.members, fault: reader.at() === text.length ? null : reader.at() };
  } catch (error) {
    if (error instanceof Fault || error instanceof RangeError)
      return { members: reader.members, fault: reader.at() };
    throw error;
  }
}

/** Thrown when the text stops being JSON. */
class Fault extends Error {}

function createReader(text: string) {
  const members: (JsonMember & { end: number })[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  };
  /** Takes this sign if it is the next one. */
  const take = (sign: string): boolean => {
    match(SPACE);
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const member = (above: string, depth: number): void => {
    match(SPACE);
    const keyAt = at;
    const written = match(STRING);
    if (written === null) throw new Fault();
    const key = String(JSON.parse(written));
    const found = { key, path: below(above, key), depth, keyAt, start: at, end: at };
    members.push(found);
    if (!take(":")) throw new Fault();
    match(SPACE);
    found.start = at;
    value(found.path, depth);
    found.end = at;
  };
  /** What stands between two brackets, separated by commas. */
  const all = (close: string, read: (index: number) => void): void => {
    if (take(close)) return;
    let index = 0;
    do read(index++);
    while (take(","));
    if (!take(close)) throw new Fault();
  };
  const value = (path: string, depth: number): void => {
    if (take("{")) all("}", () => member(path, depth + 1));
    else if (take("[")) all("]", (index) => value(below(path, String(index)), depth + 1));
    else if (match(STRING) === null && match(LITERAL) === null) throw new Fault();
  };
  return { members, match, value, at: () => at };
}

function below(path: string, part: string): string {
  return path === "" ? part : `${path}.${part}`;
}
