/** Compiles rows of the list into one search, which reads a text once. */
import { type FoundShape, type SecretShape, textBefore } from "../shape.ts";

export interface FoundSecret {
  readonly name: string;
  /** Whether it begins like all of its kind: then its beginning may be shown. */
  readonly hasPrefix: boolean;
  /** Offsets in the text, as of a slice. */
  readonly start: number;
  readonly end: number;
}

/** The found secrets, in the order of the text, without overlaps. */
export type Search = (
  text: string,
  file: { readonly path: string; readonly isBinary: boolean },
) => readonly FoundSecret[];

interface RankedSecret extends FoundSecret {
  readonly rank: number;
}

/** One way for a row to begin. */
interface Start {
  readonly text: string;
  readonly rank: number;
  readonly shape: SecretShape;
}

/** Five bits of each of three characters, so that the case of letters does not matter. */
const SLOTS = 2 ** 15;
const LOOKED_AT = 3;

/** A search for these rows; `isAsked` says whether a row's own judgement counts. */
export function compile(shapes: readonly SecretShape[], isAsked: (shape: SecretShape) => boolean): Search {
  const starts = shapes.flatMap((shape, rank) => shape.starts.map((text): Start => ({ text, rank, shape })));
  const bySlot = Map.groupBy(starts, ({ text }) => slotOf(text));
  const lists = [[], ...bySlot.values()] as readonly (readonly Start[])[];
  const table = new Uint16Array(SLOTS);
  for (const [index, slot] of [...bySlot.keys()].entries()) table[slot] = index + 1;

  return (text, file) => {
    const found: RankedSecret[] = [];
    const refused = new Map<SecretShape, number>();
    let slot = 0;
    for (let at = 0; at < text.length; at++) {
      slot = ((slot << 5) | (text.charCodeAt(at) & 31)) & (SLOTS - 1);
      const list = table[slot] ?? 0;
      if (list === 0 || at < LOOKED_AT - 1) continue;
      const from = at - LOOKED_AT + 1;
      for (const { text: start, rank, shape } of lists[list] ?? []) {
        if (!startsAt(text, from, start, shape.anyCase)) continue;
        if (shape.isContext && file.isBinary) continue;
        const secret = secretAt(text, from, shape, { path: file.path, isAsked: isAsked(shape), refused });
        if (secret === null) continue;
        found.push({ ...secret, rank });
        if (shape.isContext) continue;
        // A match inside a token belongs to the token.
        at = Math.max(at, secret.end - 1);
        slot = 0;
        break;
      }
    }
    return withoutOverlaps(found);
  };
}

function slotOf(text: string): number {
  return [...text.slice(0, LOOKED_AT)].reduce(
    (slot, one) => ((slot << 5) | (one.charCodeAt(0) & 31)) & (SLOTS - 1),
    0,
  );
}

function startsAt(text: string, from: number, start: string, anyCase: boolean): boolean {
  if (!anyCase) return text.startsWith(start, from);
  return text.slice(from, from + start.length).toLowerCase() === start.toLowerCase();
}

/**
 * If a longer match was refused, its shape is not searched again inside it. Else a text that repeats a start would
 * take far too long.
 */
const MAX_REFUSED_LENGTH = 512;

function secretAt(
  text: string,
  from: number,
  shape: SecretShape,
  {
    path,
    isAsked,
    refused,
  }: { readonly path: string; readonly isAsked: boolean; readonly refused: Map<SecretShape, number> },
): FoundSecret | null {
  if (from < (refused.get(shape) ?? 0)) return null;
  const at = from - shape.before;
  if (at < 0 || (shape.wordStart && !isWordStart(text, at))) return null;
  shape.pattern.lastIndex = at;
  const match = shape.pattern.exec(text);
  if (match === null) return null;
  const { secret, own, rest } = match.groups ?? {};
  const found: FoundShape = { match, text, at, path };
  if (isAsked && !shape.isReal(own ?? secret ?? rest ?? match[0], found)) {
    if (!shape.isContext && match[0].length > MAX_REFUSED_LENGTH) refused.set(shape, at + match[0].length);
    return null;
  }
  const groups = match.indices?.groups;
  const [start, end] = groups?.secret ?? groups?.bare ?? groups?.line ?? [at, at + match[0].length];
  return { name: shape.name, hasPrefix: !shape.isContext && shape.before === 0, start, end };
}

/** A start counts at a word border, or behind an escape of JSON, of an address or of a terminal. */
const BEHIND_ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colours begin with one.
  /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|\x1b\[[0-9;]{0,20}m)$/;
const MAX_ESCAPE_LENGTH = 24;

/** If this much base64 precedes a start, it is inside a blob, in which every start occurs by chance. */
const IN_BLOB = /[A-Za-z0-9+/]{63}[+/]$/;
const LOOKED_BACK = 64;

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charAt(at - 1);
  if (before === "+" || before === "/") return !IN_BLOB.test(textBefore(text, at, LOOKED_BACK));
  // A removed line of a patch begins like this.
  const isFirst = before === "-" && (at === 1 || text[at - 2] === "\n");
  if (isFirst || !/[A-Za-z0-9_-]/.test(before)) return true;
  return BEHIND_ESCAPE.test(textBefore(text, at, MAX_ESCAPE_LENGTH));
}

/** Two overlapping secrets become one, with the name of the earlier row. */
function withoutOverlaps(found: readonly RankedSecret[]): readonly FoundSecret[] {
  const kept: RankedSecret[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || a.rank - b.rank)) {
    const last = kept.at(-1);
    if (last === undefined || one.start >= last.end) kept.push(one);
    else {
      const { name, rank } = one.rank < last.rank ? one : last;
      const hasPrefix = last.hasPrefix && last.rank === rank;
      kept[kept.length - 1] = { name, hasPrefix, rank, start: last.start, end: Math.max(last.end, one.end) };
    }
  }
  return kept.map(({ name, hasPrefix, start, end }) => ({ name, hasPrefix, start, end }));
}
