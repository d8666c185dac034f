/** Removes secrets from the lines that an agent prints, and keeps JSON lines valid. */

import type { FoundSecret } from "../secrets/find/compile.ts";
import { findTokens } from "../secrets/find/find-secrets.ts";
import { escaped } from "../secrets/token.ts";
import { REDACTED } from "../text/redacted.ts";

/** Redacts line after line; a private key that spans several plain lines is remembered between them. */
export interface Redactor {
  /** The line with every secret replaced by `[redacted]`; a line of valid JSON stays valid JSON. */
  line(text: string): string;
  /** The same for a whole text of any number of lines that is not JSON. */
  text(text: string): string;
}

/** Shorter values are words, not secrets: replacing them would garble the log. */
const MIN_VALUE_LENGTH = 8;

/** Most plain lines after the head of a private key that count as its body. */
const MAX_KEY_LENGTH = 200;

const KEY_HEAD = "(?:----[- ]BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?[- ]----|Private-Lines: ?[0-9]{1,4})";
const KEY_FOOT = "(?:----[- ]END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?[- ]----|Private-MAC:)";
/** A whole key, or one that is cut off before its end. */
const PRIVATE_KEY = `${KEY_HEAD}[\\s\\S]*?(?:${KEY_FOOT}|$)`;

/**
 * A redactor for shapes of well-known tokens and for these secret values, plain or as JSON and URLs write them. In a
 * line of JSON only strings are changed, in their decoded form.
 */
export function createRedactor(options: { readonly values: readonly string[] }): Redactor {
  const values = [...new Set(options.values.flatMap(spellings))].sort((a, b) => b.length - a.length);
  const known = values.map(escaped);
  const secret = new RegExp([PRIVATE_KEY, ...known].join("|"), "g");
  const suspect = new RegExp([KEY_HEAD, ...known].join("|"));
  const isClean = (text: string) => !suspect.test(text) && findTokens(text).length === 0;
  // JSON inside JSON escapes an escaped value once more.
  const hiding = values.some((value) => /["\\\p{Cc}]/u.test(value)) ? /\\/ : /\\[u/]/;
  const redact = (text: string) => withoutTokens(suspect.test(text) ? text.replace(secret, REDACTED) : text);
  const plain = createPlainRedactor(redact);

  return {
    line: (text) => {
      if (!/^\s*[[{]/.test(text)) return plain(text);
      // Most lines hold no secret, and most escapes cannot hide one.
      if (isClean(text) && !hiding.test(text)) return text;
      return isJson(text) ? redactStrings(withoutNamed(text), redact) : plain(text);
    },
    text: redact,
  };
}

function withoutTokens(text: string): string {
  return replaced(text, findTokens(text));
}

/** For JSON: the name that marks a secret is in another string than the secret. */
function withoutNamed(json: string): string {
  const inStrings = findTokens(json).filter(({ start, end }) => !/["\\]/.test(json.slice(start, end)));
  const clean = replaced(json, inStrings);
  return clean !== json && isJson(clean) ? clean : json;
}

function replaced(text: string, found: readonly FoundSecret[]): string {
  let clean = "";
  let copied = 0;
  for (const { start, end } of found) {
    clean += text.slice(copied, start) + REDACTED;
    copied = end;
  }
  return clean + text.slice(copied);
}

/** Redacts text that is not JSON, also the lines after the head of a private key. */
function createPlainRedactor(redact: (text: string) => string): (text: string) => string {
  const head = new RegExp(KEY_HEAD);
  const foot = new RegExp(KEY_FOOT);
  let keyLinesLeft = 0;
  return (text) => {
    if (keyLinesLeft > 0) {
      keyLinesLeft = foot.test(text) ? 0 : keyLinesLeft - 1;
      return REDACTED;
    }
    if (head.test(text) && !foot.test(text)) keyLinesLeft = MAX_KEY_LENGTH;
    return redact(text);
  };
}

/** Variables that only sound secret: `GIT_CONFIG_KEY_0` names a setting. */
const NOT_SECRET = /^GIT_CONFIG_KEY_\d+$/;
const SECRET_NAME = /TOKEN|KEY|SECRET|PASSWORD|PASSWD|PASSPHRASE/i;

/**
 * The values of an environment that must never be stored, if they have at least 8 characters. They are the values of
 * variables in `names`, and of names with TOKEN, KEY, SECRET or PASSWORD.
 */
export function secretValues(
  env: Readonly<Record<string, string | undefined>>,
  options: { readonly names: readonly string[] },
): readonly string[] {
  const named = new Set(options.names);
  const isSecret = (name: string) => named.has(name) || (SECRET_NAME.test(name) && !NOT_SECRET.test(name));
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= MIN_VALUE_LENGTH && isSecret(name) ? [value] : [],
  );
}

/**
 * The forms of a value in a line: plain, inside JSON, inside a URL. A value of several lines also counts line by
 * line.
 */
function spellings(value: string): string[] {
  const lines = value.split(/\r?\n/);
  const whole = [
    value,
    JSON.stringify(value).slice(1, -1),
    value.isWellFormed() ? encodeURIComponent(value) : value,
  ];
  return [...whole, ...(lines.length > 1 ? lines : [])].filter((text) => text.length >= MIN_VALUE_LENGTH);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Valid JSON with each of its strings redacted in decoded form; all other bytes stay. */
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

/** The index after the quote that closes the string which opens at `open`. */
function endOfString(json: string, open: number): number {
  let at = open + 1;
  while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}
