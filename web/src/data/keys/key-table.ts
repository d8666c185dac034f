/** The one table of keys: what each one does, and on which screens. Screens, hints, menus and Settings read it. */

const SCREENS = ["fleet", "attempt", "compare", "review", "ship", "activity", "storage"] as const;
export type KeyScreen = (typeof SCREENS)[number];

interface KeyRow {
  /** Its words are those of the catalog `keyActs`. */
  readonly act: string;
  readonly on: readonly KeyScreen[];
  /** Buttons, dialogs or boxes use this key themselves, so it stays as it is. */
  readonly isFixed?: true;
}

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;
type Digit = (typeof DIGITS)[number];

const WITH_ATTEMPT = ["fleet", "attempt", "compare", "review", "ship"] as const;
const DIFFS = ["attempt", "compare", "review"] as const;
const LISTS = ["fleet", "storage"] as const;
/** Only in the form of a new task. */
const FORM = [] as const;

/**
 * By the key that does it unless a person chose another: one meaning for each. A big letter is with shift; `mod` is
 * Control or Command. Two keys with a space between are pressed one after the other.
 */
export const KEYS = {
  "mod+k": { act: "palette", on: SCREENS },
  "?": { act: "allKeys", on: SCREENS },
  "? ?": { act: "keyBar", on: SCREENS },
  "g f": { act: "goFleet", on: SCREENS },
  "g r": { act: "goReview", on: SCREENS },
  "g a": { act: "goActivity", on: SCREENS },
  "g s": { act: "goStorage", on: SCREENS },
  "g ,": { act: "goSettings", on: SCREENS },
  n: { act: "newTask", on: SCREENS },
  "/": { act: "search", on: ["fleet", "attempt", "compare", "review", "activity", "storage"] },
  j: { act: "next", on: SCREENS },
  k: { act: "previous", on: SCREENS },
  h: { act: "left", on: ["fleet", "attempt", "compare"] },
  l: { act: "right", on: ["fleet", "attempt", "compare"] },
  enter: { act: "open", on: SCREENS, isFixed: true },
  escape: { act: "back", on: SCREENS, isFixed: true },
  a: { act: "suggested", on: ["fleet", "attempt", "ship"] },
  d: { act: "deny", on: ["fleet", "attempt"] },
  r: { act: "write", on: ["fleet", "attempt", "review", "ship"] },
  c: { act: "comment", on: ["attempt", "review"] },
  C: { act: "severalLines", on: ["attempt", "review"] },
  e: { act: "viewed", on: ["attempt", "review"] },
  "]": { act: "nextFile", on: DIFFS },
  "[": { act: "previousFile", on: DIFFS },
  "}": { act: "nextChange", on: DIFFS },
  "{": { act: "previousChange", on: DIFFS },
  m: { act: "nextComment", on: ["review", "ship"] },
  u: { act: "layout", on: DIFFS },
  W: { act: "whiteSpace", on: DIFFS },
  ...numbered(),
  t: { act: "toggleView", on: ["fleet", "attempt", "compare", "review"] },
  f: { act: "follow", on: ["attempt"] },
  v: { act: "review", on: WITH_ATTEMPT },
  "=": { act: "compare", on: WITH_ATTEMPT },
  S: { act: "ship", on: WITH_ATTEMPT },
  w: { act: "choose", on: ["compare"] },
  b: { act: "hideNames", on: ["compare"] },
  s: { act: "stop", on: ["fleet", "attempt"] },
  "`": { act: "terminal", on: ["attempt"] },
  "\\": { act: "rightPanel", on: ["attempt", "compare", "review", "activity"] },
  "|": { act: "leftPanel", on: ["attempt", "compare", "review", "activity"] },
  o: { act: "openOutside", on: SCREENS },
  y: { act: "copy", on: SCREENS },
  "+": { act: "addToRun", on: ["ship"] },
  O: { act: "override", on: ["ship"] },
  U: { act: "update", on: ["ship"] },
  M: { act: "merge", on: ["ship"] },
  z: { act: "undo", on: SCREENS },
  x: { act: "select", on: LISTS },
  J: { act: "extendDown", on: LISTS },
  K: { act: "extendUp", on: LISTS },
  A: { act: "selectAll", on: LISTS },
  ".": { act: "actions", on: SCREENS },
  "mod+enter": { act: "send", on: ["attempt", "compare", "review", "ship"] },
  "mod+backspace": { act: "trash", on: LISTS },
  ...presets(),
  "alt+a": { act: "agents", on: FORM },
  "@": { act: "mention", on: FORM, isFixed: true },
  "-": { act: "fewer", on: FORM, isFixed: true },
} as const satisfies Readonly<Record<string, KeyRow>>;

/** A place in the table. It is also the key, unless a person chose another one. */
export type KeySpec = keyof typeof KEYS;

/** In the order of the table, where an object would put the digits first. */
export const KEY_SPECS = (Object.keys(KEYS) as KeySpec[])
  .filter((spec) => !isDigit(spec))
  .flatMap((spec): readonly KeySpec[] => (spec === "t" ? [...DIGITS, spec] : [spec]));

function isDigit(spec: KeySpec): boolean {
  return DIGITS.some((digit) => digit === spec);
}

function numbered() {
  const row = { act: "numbered", on: WITH_ATTEMPT } as const satisfies KeyRow;
  return Object.fromEntries(DIGITS.map((digit) => [digit, row])) as { readonly [D in Digit]: typeof row };
}

function presets() {
  const row = { act: "preset", on: FORM } as const satisfies KeyRow;
  const rows = DIGITS.map((digit) => [`alt+${digit}`, row]);
  return Object.fromEntries(rows) as { readonly [D in Digit as `alt+${D}`]: typeof row };
}

/** The key of the numbered thing; null beyond nine. */
export const numberKey = (number: number): KeySpec | null => DIGITS[number - 1] ?? null;

/** The keys of the numbered things, the first one first. */
export const NUMBER_KEYS: readonly KeySpec[] = DIGITS;

export const PRESET_KEYS: readonly KeySpec[] = DIGITS.map((digit) => `alt+${digit}` as const);
