/** Reads a regular expression that can be searched in linear time: no look-around, no back-references. */
import { err, ok, type Result } from "neverthrow";

/** The set of characters at one position, as the source of a class in JavaScript (flag v) and in ripgrep. */
export interface CharacterSet {
  readonly js: string;
  readonly rust: string;
}

export type RegexNode =
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly RegexNode[] }
  | {
      readonly kind: "repeat";
      readonly part: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  | { readonly kind: "assert"; readonly what: Assertion };

export type Assertion = "line-start" | "line-end" | "word-edge" | "no-word-edge";

export interface RegexFlaw {
  /** Index in the expression, from 0. */
  readonly at: number;
  readonly why: string;
}

const MAX_REPEATS = 1000;
const MAX_DEPTH = 50;

interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
  flaw: RegexFlaw | null;
}

export function parseRegex(text: string): Result<RegexNode, RegexFlaw> {
  const cursor: Cursor = { text, at: 0, depth: 0, flaw: null };
  const node = parseChoice(cursor);
  if (cursor.flaw === null && cursor.at < text.length) fail(cursor, cursor.at, "a ) without a (");
  return cursor.flaw === null ? ok(node) : err(cursor.flaw);
}

/** Notes the first error and ends the reading. The returned node is not used. */
function fail(cursor: Cursor, at: number, why: string): Extract<RegexNode, { kind: "set" }> {
  cursor.flaw ??= { at, why };
  cursor.at = cursor.text.length;
  return { kind: "set", set: ANY };
}

function parseChoice(cursor: Cursor): RegexNode {
  const parts = [parseSequence(cursor)];
  while (cursor.text[cursor.at] === "|") {
    cursor.at += 1;
    parts.push(parseSequence(cursor));
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "choice", parts };
}

function parseSequence(cursor: Cursor): RegexNode {
  const parts: RegexNode[] = [];
  for (
    let next = cursor.text[cursor.at];
    next !== undefined && next !== "|" && next !== ")";
    next = cursor.text[cursor.at]
  )
    parts.push(parseRepeat(cursor, parseAtom(cursor)));
  return { kind: "sequence", parts };
}

const COUNTED = /^\{(\d{1,5})(?:(,)(\d{0,5}))?\}/;

function parseRepeat(cursor: Cursor, part: RegexNode): RegexNode {
  const began = cursor.at;
  const bounds = takeBounds(cursor);
  if (bounds === null) return part;
  const [min, max] = bounds;
  if (part.kind === "assert") return fail(cursor, began, "there is nothing to repeat");
  if (min > max) return fail(cursor, began, "the counts are the wrong way round");
  if (Math.max(min, max === Number.POSITIVE_INFINITY ? 0 : max) > MAX_REPEATS)
    return fail(cursor, began, `more than ${MAX_REPEATS} repeats`);
  const lazy = cursor.text[cursor.at] === "?";
  if (lazy) cursor.at += 1;
  return parseRepeat(cursor, { kind: "repeat", part, min, max, lazy });
}

function takeBounds(cursor: Cursor): readonly [number, number] | null {
  const sign = cursor.text[cursor.at];
  const simple =
    sign === "*" ? [0, Number.POSITIVE_INFINITY] : sign === "+" ? [1, Number.POSITIVE_INFINITY] : [0, 1];
  if (sign === "*" || sign === "+" || sign === "?") {
    cursor.at += 1;
    return [simple[0] ?? 0, simple[1] ?? 0];
  }
  if (sign !== "{") return null;
  const [all, min, comma, max] = COUNTED.exec(cursor.text.slice(cursor.at, cursor.at + 16)) ?? [];
  if (all === undefined) {
    fail(cursor, cursor.at, "a { that counts nothing; a literal one is written \\{");
    return null;
  }
  cursor.at += all.length;
  if (comma === undefined) return [Number(min), Number(min)];
  return [Number(min), max ? Number(max) : Number.POSITIVE_INFINITY];
}

function parseAtom(cursor: Cursor): RegexNode {
  const began = cursor.at;
  const next = String.fromCodePoint(cursor.text.codePointAt(began) ?? 0);
  cursor.at += next.length;
  if (next === "(") return parseGroup(cursor, began);
  if (next === "[") return { kind: "set", set: parseClass(cursor, began) };
  if (next === "^") return { kind: "assert", what: "line-start" };
  if (next === "$") return { kind: "assert", what: "line-end" };
  if (next === ".") return { kind: "set", set: ANY };
  if (next === "\\") return parseEscape(cursor, began);
  if ("*+?{".includes(next)) return fail(cursor, began, "there is nothing to repeat");
  return one(next);
}

function parseGroup(cursor: Cursor, began: number): RegexNode {
  const [opening] = /^(?:\?:|\?P?<[A-Za-z_]\w*>)/.exec(cursor.text.slice(cursor.at, cursor.at + 80)) ?? [""];
  cursor.at += opening.length;
  if (opening === "" && cursor.text[cursor.at] === "?")
    return fail(cursor, began, "look-around and flags are not supported; use the argument case for case");
  cursor.depth += 1;
  if (cursor.depth > MAX_DEPTH) return fail(cursor, began, `more than ${MAX_DEPTH} groups in each other`);
  const inner = parseChoice(cursor);
  if (cursor.text[cursor.at] !== ")") return fail(cursor, began, "a ( without a )");
  cursor.at += 1;
  cursor.depth -= 1;
  return inner;
}

const ANY: CharacterSet = { js: "[^\\n]", rust: "[^\\n]" };

const WORD_JS = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
const PERL: Readonly<Record<string, CharacterSet>> = {
  d: { js: "[\\p{Nd}]", rust: "\\d" },
  D: { js: "[^\\p{Nd}]", rust: "\\D" },
  w: { js: `[${WORD_JS}]`, rust: "\\w" },
  W: { js: `[^${WORD_JS}]`, rust: "\\W" },
  s: { js: "[\\p{White_Space}]", rust: "\\s" },
  S: { js: "[^\\p{White_Space}]", rust: "\\S" },
};
const CONTROL: Readonly<Record<string, string>> = { t: "\t", f: "\f", v: "\v" };
const HEX = /^(?:x\{([0-9a-fA-F]{1,6})\}|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/;

function parseEscape(cursor: Cursor, began: number): RegexNode {
  const next = cursor.text[cursor.at] ?? "";
  if (next === "b" || next === "B") {
    cursor.at += 1;
    return { kind: "assert", what: next === "b" ? "word-edge" : "no-word-edge" };
  }
  const set = escapedSet(cursor, began);
  return typeof set === "string" ? one(set) : { kind: "set", set };
}

/** The meaning of an escape, inside and outside of a class: a set, or one character. The backslash is already read. */
function escapedSet(cursor: Cursor, began: number): CharacterSet | string {
  const rest = cursor.text.slice(cursor.at, cursor.at + 80);
  const next = rest[0] ?? "";
  const perl = Object.hasOwn(PERL, next) ? PERL[next] : undefined;
  const [property] = /^[pP](?:\{\^?[\w=:. -]+\}|[A-Z])/.exec(rest) ?? [];
  if (property !== undefined) {
    cursor.at += property.length;
    return propertySet(cursor, property, began);
  }
  const hex = HEX.exec(rest);
  if (hex !== null) {
    cursor.at += hex[0].length;
    return fromHex(cursor, hex[1] ?? hex[2] ?? hex[3] ?? hex[4] ?? "", began);
  }
  cursor.at += 1;
  if (perl !== undefined) return perl;
  if (Object.hasOwn(CONTROL, next)) return CONTROL[next] ?? "";
  if (/^[!-/:-@[-`{-~ ]$/.test(next)) return next;
  return fail(cursor, began, next === "" ? "a \\ at the end" : `\\${next} is not supported`).set;
}

function fromHex(cursor: Cursor, digits: string, began: number): CharacterSet | string {
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    return fail(cursor, began, "no such character").set;
  return String.fromCodePoint(code);
}

function propertySet(cursor: Cursor, written: string, began: number): CharacterSet {
  const name = written.slice(1).replace(/^\{(.*)\}$/, "$1");
  const source = `\\${written[0]}{${name}}`;
  try {
    // A property of whole strings, such as an emoji of several characters, cannot be negated for one character.
    new RegExp(`[^${source}]`, "v");
  } catch {
    return fail(cursor, began, `there is no property ${name}`).set;
  }
  return { js: `[${source}]`, rust: source };
}

const POSIX = /^\[:\^?\w+:\]/;

/** The [ is already read. */
function parseClass(cursor: Cursor, began: number): CharacterSet {
  const isNegative = cursor.text[cursor.at] === "^";
  if (isNegative) cursor.at += 1;
  let [js, rust] = ["", ""];
  for (let first = true; ; first = false) {
    const next = cursor.text[cursor.at];
    if (next === undefined) return fail(cursor, began, "a [ without a ]").set;
    if (next === "]" && !first) break;
    const rest = cursor.text.slice(cursor.at, cursor.at + 20);
    if (next === "[" && POSIX.test(rest))
      return fail(cursor, cursor.at, "use \\d, \\w, \\s or \\p{…} instead").set;
    if (/^(?:&&|~~|--)/.test(rest)) return fail(cursor, cursor.at, "classes cannot be combined").set;
    const item = classItem(cursor);
    js += item.js;
    rust += item.rust;
  }
  cursor.at += 1;
  const open = isNegative ? "[^" : "[";
  // No class matches the end of a line.
  return isNegative
    ? { js: `[${open}${js}]--\\n]`, rust: `${open}${rust}\\n]` }
    : { js: `${open}${js}]`, rust: `${open}${rust}]` };
}

/** A character, a range, or a set within a class. */
function classItem(cursor: Cursor): CharacterSet {
  const began = cursor.at;
  const from = classCharacter(cursor);
  if (typeof from !== "string") return from;
  const isRange = cursor.text[cursor.at] === "-" && !"]".includes(cursor.text[cursor.at + 1] ?? "]");
  if (!isRange) return escaped(from);
  cursor.at += 1;
  const to = classCharacter(cursor);
  if (typeof to !== "string" || (to.codePointAt(0) ?? 0) < (from.codePointAt(0) ?? 0))
    return fail(cursor, began, "a range that leads nowhere").set;
  return { js: `${escaped(from).js}-${escaped(to).js}`, rust: `${escaped(from).rust}-${escaped(to).rust}` };
}

function classCharacter(cursor: Cursor): CharacterSet | string {
  const began = cursor.at;
  const next = String.fromCodePoint(cursor.text.codePointAt(began) ?? 0);
  cursor.at += next.length;
  return next === "\\" ? escapedSet(cursor, began) : next;
}

function one(character: string): RegexNode {
  const { js, rust } = escaped(character);
  return { kind: "set", set: { js: `[${js}]`, rust } };
}

/** Written by its number, so that no character has a special meaning. */
function escaped(character: string): CharacterSet {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return { js: `\\u{${code}}`, rust: `\\x{${code}}` };
}
