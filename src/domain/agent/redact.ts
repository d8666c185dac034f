/** Takes secrets out of the lines that an agent prints, without breaking lines of JSON. */
import { hintsAtNamed, replaceNamed, TOKEN_PREFIXES, TOKEN_SHAPES } from "./token-shapes.ts";

/** Redacts one line after the other; a private key that runs over several plain lines is remembered in between. */
export interface Redactor {
  /** The line with every secret replaced by `[redacted]`; a line of valid JSON stays valid JSON. */
  line(text: string): string;
  /** The same of a text of any number of lines that is whole, and no JSON. */
  text(text: string): string;
}

const REDACTED = "[redacted]";

/** Shorter values are words, not secrets: replacing them would garble the log. */
const SHORTEST_VALUE = 8;

/** Most plain lines after the head of a private key that are taken for its body. */
const LONGEST_KEY = 200;

const KEY_HEAD = "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
const KEY_FOOT = "-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
/** A whole key, or one that is cut off before its end. */
const PRIVATE_KEY = `${KEY_HEAD}[\\s\\S]*?(?:${KEY_FOOT}|$)`;

/**
 * A redactor for these secret values (as they are, and as JSON and URLs spell them) and for the shapes of
 * well-known tokens. In a line of JSON only strings are changed, as they read when decoded.
 */
export function createRedactor(options: { readonly values: readonly string[] }): Redactor {
  const values = [...new Set(options.values.flatMap(spellings))].sort((a, b) => b.length - a.length);
  const known = values.map(escapeRegExp);
  const secret = new RegExp([PRIVATE_KEY, ...known, ...TOKEN_SHAPES].join("|"), "g");
  const suspect = new RegExp([KEY_HEAD, ...known, ...TOKEN_PREFIXES].join("|"));
  const isClean = (text: string) => !suspect.test(text) && !hintsAtNamed(text);
  // A value that JSON must escape is escaped once more in JSON inside JSON.
  const hiding = values.some((value) => /["\\\p{Cc}]/u.test(value)) ? /\\/ : /\\[u/]/;
  const redact = (text: string) =>
    isClean(text) ? text : replaceNamed(text.replace(secret, REDACTED), REDACTED);
  const plain = createPlainRedactor(redact);

  return {
    line: (text) => {
      if (!/^\s*[[{]/.test(text)) return plain(text);
      // Most lines hold no secret, and most escapes could hide none.
      if (isClean(text) && !hiding.test(text)) return text;
      return isJson(text) ? redactStrings(text, redact) : plain(text);
    },
    text: redact,
  };
}

/** Redacts text that is no JSON, with the lines that follow the head of a private key. */
function createPlainRedactor(redact: (text: string) => string): (text: string) => string {
  const head = new RegExp(KEY_HEAD);
  const foot = new RegExp(KEY_FOOT);
  let keyLinesLeft = 0;
  return (text) => {
    if (keyLinesLeft > 0) {
      keyLinesLeft = foot.test(text) ? 0 : keyLinesLeft - 1;
      return REDACTED;
    }
    if (head.test(text) && !foot.test(text)) keyLinesLeft = LONGEST_KEY;
    return redact(text);
  };
}

/** Variables that only sound secret: `GIT_CONFIG_KEY_0` names a setting. */
const NOT_SECRET = /^GIT_CONFIG_KEY_\d+$/;
const SECRET_NAME = /TOKEN|KEY|SECRET|PASSWORD|PASSWD|PASSPHRASE/i;

/**
 * The values of an environment that must never be stored: of variables whose names say so (TOKEN, KEY, SECRET,
 * PASSWORD) and of those in `names`, where they have at least 8 characters.
 */
export function secretValues(
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly names: readonly string[] },
): readonly string[] {
  const named = new Set(options.names);
  const isSecret = (name: string) => named.has(name) || (SECRET_NAME.test(name) && !NOT_SECRET.test(name));
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST_VALUE && isSecret(name) ? [value] : [],
  );
}

/** A value as it may stand in a line: bare, inside JSON, inside a URL, and the lines of one that has several. */
function spellings(value: string): string[] {
  const lines = value.split(/\r?\n/);
  const whole = [
    value,
    JSON.stringify(value).slice(1, -1),
    value.isWellFormed() ? encodeURIComponent(value) : value,
  ];
  return [...whole, ...(lines.length > 1 ? lines : [])].filter((text) => text.length >= SHORTEST_VALUE);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Valid JSON with each of its strings redacted as it reads decoded; everything else stays byte for byte. */
function redactStrings(json: string, redact: (text: string) => string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let open = json.indexOf('"'); open >= 0; ) {
    const end = endOfString(json, open);
    const decoded = String(JSON.parse(json.slice(open, end)));
    const clean = redact(decoded);
    if (clean !== decoded) {
      parts.push(json.slice(copied, open), JSON.stringify(clean));
      copied = end;
    }
    open = json.indexOf('"', end);
  }
  return parts.join("") + json.slice(copied);
}

/** The index behind the quote that closes the string which opens at `open`. */
function endOfString(json: string, open: number): number {
  let at = open + 1;
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}
