/** Matches names against git's patterns (its wildmatch.c), byte by byte, in bounded time for every pattern. */

/** One byte of a set, any run of bytes (within a name, or across folders too), or whole folders. */
type Token =
  | { readonly kind: "byte"; readonly set: Uint8Array }
  | { readonly kind: "in-name" | "over-folders" }
  /** No folder, or what `through` reads up to a slash. `through` always follows `folders`. */
  | { readonly kind: "folders" | "through" };

/** Whether a string of bytes (one character each, as in latin1) matches. */
export type Wildcard = (text: string) => boolean;

const SLASH = 0x2f;
const NEVER: Wildcard = () => false;

/** A pattern of bytes; `*` and `?` stop at a slash. Never matches if git cannot read the pattern. */
export function createWildcard(pattern: string, { foldsCase }: { readonly foldsCase: boolean }): Wildcard {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at] ?? "";
    const next = char === "*" ? readStars(pattern, at, tokens) : readByte(pattern, at, { tokens, foldsCase });
    if (next === null) return NEVER;
    at = next;
  }
  return (text) => follow(tokens, text);
}

/** `**` between slashes (or ends) stands for folders. Any other run of stars stands for one star. */
function readStars(pattern: string, from: number, tokens: Token[]): number {
  let at = from;
  while (pattern[at] === "*") at += 1;
  const isOpen = from === 0 || pattern[from - 1] === "/";
  const rest = pattern.slice(at, at + 2);
  const isWide = at - from > 1 && isOpen && (rest === "" || rest.startsWith("/") || rest === "\\/");
  if (isWide && rest.startsWith("/")) {
    tokens.push({ kind: "folders" }, { kind: "through" });
    return at + 1;
  }
  tokens.push({ kind: isWide ? "over-folders" : "in-name" });
  return at;
}

function readByte(
  pattern: string,
  at: number,
  { tokens, foldsCase }: { readonly tokens: Token[]; readonly foldsCase: boolean },
): number | null {
  const set = new Uint8Array(256);
  const push = (next: number): number => {
    tokens.push({ kind: "byte", set: foldsCase ? withBothCases(set) : set });
    return next;
  };
  const char = pattern[at];
  if (char === "[") {
    const end = readClass(pattern, at, set);
    return end === null ? null : push(end);
  }
  if (char === "?") {
    set.fill(1)[SLASH] = 0;
    return push(at + 1);
  }
  const literal = char === "\\" ? at + 1 : at;
  if (literal >= pattern.length) return null;
  set[pattern.charCodeAt(literal)] = 1;
  return push(literal + 1);
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[^ -~\x80-\xff]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Fills the set, and returns the end of the class. Null if it has no end, or names an unknown class. */
function readClass(pattern: string, from: number, set: Uint8Array): number | null {
  const isNegative = /[!^]/.test(pattern.charAt(from + 1));
  let at = from + (isNegative ? 2 : 1);
  let before: number | null = null;
  for (let first = true; first || pattern[at] !== "]"; first = false) {
    const item = readItem(pattern, at, before);
    if (item === null) return null;
    for (let code = item.from; code <= item.to; code++) set[code] = 1;
    for (let code = 0; code < 256; code++) if (item.named?.test(String.fromCharCode(code))) set[code] = 1;
    [at, before] = [item.end, item.last];
  }
  if (isNegative) for (let code = 0; code < 256; code++) set[code] = 1 - (set[code] ?? 0);
  set[SLASH] = 0;
  return at + 1;
}

interface ClassItem {
  readonly from: number;
  readonly to: number;
  readonly named?: RegExp;
  readonly end: number;
  /** The value from which a range may continue. */
  readonly last: number | null;
}

function readItem(pattern: string, at: number, before: number | null): ClassItem | null {
  const [, name] = /^\[:([^\]]*):\]/.exec(pattern.slice(at)) ?? [];
  if (name !== undefined) {
    const named = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
    return named === undefined ? null : { from: 1, to: 0, named, end: at + name.length + 4, last: null };
  }
  const isRange = pattern[at] === "-" && before !== null && !"]".includes(pattern[at + 1] ?? "]");
  const start = isRange ? at + 1 : at;
  const index = pattern[start] === "\\" ? start + 1 : start;
  if (index >= pattern.length) return null;
  const code = pattern.charCodeAt(index);
  const end = index + 1;
  return isRange ? { from: before, to: code, end, last: null } : { from: code, to: code, end, last: code };
}

function withBothCases(set: Uint8Array): Uint8Array {
  return set.map((is, code) => {
    const char = String.fromCharCode(code);
    if (!/[A-Za-z]/.test(char)) return is;
    return is | (set[char.toLowerCase().charCodeAt(0)] ?? 0) | (set[char.toUpperCase().charCodeAt(0)] ?? 0);
  });
}

/** All possible positions in the pattern, byte after byte: there is no backtracking. */
function follow(tokens: readonly Token[], text: string): boolean {
  let now = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  now[0] = 1;
  for (let at = 0; ; at++) {
    skipEmpty(tokens, now);
    if (at === text.length) return now[tokens.length] === 1;
    next.fill(0);
    const code = text.charCodeAt(at);
    let lives = 0;
    for (let place = 0; place < tokens.length; place++)
      if (now[place] === 1) lives |= take(tokens[place], place, { code, next });
    if (lives === 0) return false;
    [now, next] = [next, now];
  }
}

/** Every step without a byte leads forwards, so one pass is enough. */
function skipEmpty(tokens: readonly Token[], now: Uint8Array): void {
  for (let place = 0; place < tokens.length; place++) {
    const kind = tokens[place]?.kind;
    if (now[place] !== 1 || kind === "byte" || kind === "through") continue;
    now[place + 1] = 1;
    if (kind === "folders") now[place + 2] = 1;
  }
}

function take(
  token: Token | undefined,
  place: number,
  { code, next }: { readonly code: number; readonly next: Uint8Array },
): number {
  if (token === undefined || token.kind === "folders") return 0;
  if (token.kind === "in-name" && code === SLASH) return 0;
  if (token.kind === "byte" && token.set[code] !== 1) return 0;
  if (token.kind === "byte" || (token.kind === "through" && code === SLASH)) next[place + 1] = 1;
  if (token.kind !== "byte") next[place] = 1;
  return 1;
}
