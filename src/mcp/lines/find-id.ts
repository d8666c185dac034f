/** Finds the id of a JSON-RPC message that is too long to be kept, as its bytes arrive. */

export interface IdFinder {
  push(bytes: Uint8Array): void;
  /**
   * Null if there is none, or if it is not a valid id. Null for an answer too: its id belongs to a question of ours.
   */
  id(): string | number | null;
}

/** Bytes of the longest name or value that is read. */
const MAX_TOKEN_LENGTH = 1_024;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const LIST = 0x5b;

/** Finds only the id of the message itself. An `id` further in, in a text or in a list, belongs to something else. */
export function createIdFinder(): IdFinder {
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  let isList = false;
  let name: unknown = null;
  let token: number[] = [];
  let found: string | number | null = null;
  let isAnswer = false;

  const keep = (byte: number) => {
    if (depth === 1 && token.length < MAX_TOKEN_LENGTH) token.push(byte);
  };
  const endValue = () => {
    const value = jsonOf(token);
    if (name === "id" && !isList) found = isId(value) ? value : null;
    isAnswer ||= name === "result" || name === "error";
    [name, token] = [null, []];
  };
  const text = (byte: number) => {
    keep(byte);
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) inText = false;
  };
  const structure = (byte: number) => {
    if (byte === QUOTE) inText = true;
    if (OPENING.has(byte)) {
      if (depth === 0) isList = byte === LIST;
      // A value that cannot be an id.
      keep(byte);
      depth += 1;
      return;
    }
    if (CLOSING.has(byte)) {
      if (depth === 1) endValue();
      depth -= 1;
      return;
    }
    if (depth === 1 && byte === COLON) [name, token] = [jsonOf(token), []];
    else if (depth === 1 && byte === COMMA) endValue();
    else keep(byte);
  };
  return {
    push: (bytes) => {
      for (const byte of bytes) inText ? text(byte) : structure(byte);
    },
    id: () => (isAnswer ? null : found),
  };
}

export function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function jsonOf(token: readonly number[]): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(new Uint8Array(token)));
  } catch {
    return undefined;
  }
}
