/** Finds the lines of a JSON text: of each key, and of the first fault, which `JSON.parse` does not name. */

interface JsonLines {
  /** Dotted path of a key, such as `checks.0.name`, → its line, from 1. Keys after a fault are missing. */
  readonly keys: ReadonlyMap<string, number>;
  /** The line at which the text stops being JSON; null if it is JSON. */
  readonly fault: number | null;
}

const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string.
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LITERAL = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** Reads the text by RFC 8259. */
export function jsonLines(text: string): JsonLines {
  const keys = new Map<string, number>();
  const reader = createReader(text);
  try {
    readValue(reader, "", (path) => keys.set(path, reader.line()));
    reader.space();
    return { keys, fault: reader.atEnd() ? null : reader.line() };
  } catch (error) {
    if (error instanceof Fault || error instanceof RangeError) return { keys, fault: reader.line() };
    throw error;
  }
}

/** Thrown when the text stops being JSON. */
class Fault extends Error {}

type Reader = ReturnType<typeof createReader>;

function createReader(text: string) {
  let at = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  };
  return {
    match,
    space: () => void match(SPACE),
    /** Takes this character if it is the next one. */
    take: (character: string): boolean => {
      if (text[at] !== character) return false;
      at += 1;
      return true;
    },
    atEnd: () => at === text.length,
    line: () => text.slice(0, at).split("\n").length,
  };
}

function readValue(reader: Reader, path: string, onKey: (path: string) => void): void {
  reader.space();
  if (reader.take("{")) readMembers(reader, path, onKey);
  else if (reader.take("[")) readElements(reader, path, onKey);
  else if (reader.match(STRING) === null && reader.match(LITERAL) === null) throw new Fault();
}

function readMembers(reader: Reader, path: string, onKey: (path: string) => void): void {
  reader.space();
  if (reader.take("}")) return;
  do {
    reader.space();
    const key = reader.match(STRING);
    if (key === null) throw new Fault();
    const full = below(path, JSON.parse(key) as string);
    onKey(full);
    reader.space();
    if (!reader.take(":")) throw new Fault();
    readValue(reader, full, onKey);
    reader.space();
  } while (reader.take(","));
  if (!reader.take("}")) throw new Fault();
}

function readElements(reader: Reader, path: string, onKey: (path: string) => void): void {
  reader.space();
  if (reader.take("]")) return;
  let index = 0;
  do {
    readValue(reader, below(path, String(index)), onKey);
    index += 1;
    reader.space();
  } while (reader.take(","));
  if (!reader.take("]")) throw new Fault();
}

function below(path: string, part: string): string {
  return path === "" ? part : `${path}.${part}`;
}
