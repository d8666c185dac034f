/** Holds the one table of keys against the key map of the design, and the choice of other keys. */
import { describe, expect, test } from "bun:test";
import { chordOf, isTyped } from "../../web/src/data/keys/chord.ts";
import { KEY_SPECS, KEYS } from "../../web/src/data/keys/key-table.ts";
import { keyIn, knownKeys, refusalOf, withKey } from "../../web/src/data/keys/own-keys.ts";

/** Section 11 of the design, row by row: on which of the seven screens each key holds. */
const MAP = `
mod+k ?                     | F A C R S V T
g+f g+r g+a g+s g+,         | F A C R S V T
n                           | F A C R S V T
/                           | F A C R - V T
j k                         | F A C R S V T
h l                         | F A C - - - -
enter escape                | F A C R S V T
a                           | F A - - S - -
d                           | F A - - - - -
r                           | F A - R S - -
c C                         | - A - R - - -
e                           | - A - R - - -
] [                         | - A C R - - -
} {                         | - A C R - - -
m                           | - - - R S - -
u                           | - A C R - - -
W                           | - A C R - - -
1 2 3 4 5 6 7 8 9           | F A C R S - -
t                           | F A C R - - -
f                           | - A - - - - -
v = S                       | F A C R S - -
w b                         | - - C - - - -
s                           | F A - - - - -
\`                           | - A - - - - -
\\                           | - A C R - V -
o y                         | F A C R S V T
+                           | - - - - S - -
O U M                       | - - - - S - -
z                           | F A C R S V T
x J K A                     | F - - - - - T
.                           | F A C R S V T
mod+enter                   | - A C R S - -
mod+backspace               | F - - - - - T
`;

const NAMES = {
  F: "fleet",
  A: "attempt",
  C: "compare",
  R: "review",
  S: "ship",
  V: "activity",
  T: "storage",
} as const;

/** The form of a new task, and keys that the design writes in another way. */
const BESIDE = [
  "? ?",
  "|",
  "@",
  "-",
  "alt+a",
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => `alt+${number}`),
];

test("the table of keys is the key map of the design: every key, on every screen of its row", () => {
  const wanted = MAP.trim()
    .split("\n")
    .flatMap((row) => {
      const [keys = "", marks = ""] = row.split(/ \| /);
      const on = marks.split(" ").flatMap((mark) => NAMES[mark as keyof typeof NAMES] ?? []);
      return keys
        .trim()
        .split(/\s+/)
        .map((key) => [key.replace(/^g\+/, "g "), on] as const);
    });
  const held = KEY_SPECS.filter((spec) => !BESIDE.includes(spec)).map((spec) => [spec, [...KEYS[spec].on]]);
  expect(Object.fromEntries(held)).toEqual(Object.fromEntries(wanted));
});

describe("a person's own keys", () => {
  test("another key does the same, none switches it off, and the first one comes back", () => {
    const own = withKey({}, "n", "q");
    expect([keyIn(own, "n"), keyIn(withKey(own, "n", null), "n"), withKey(own, "n", "n")]).toEqual([
      "q",
      null,
      {},
    ]);
  });

  test.each([
    ["j", { kind: "taken", by: "j" }],
    ["g", { kind: "taken", by: "g f" }],
    ["j q", { kind: "taken", by: "j" }],
    ["enter", { kind: "fixed" }],
    ["q tab", { kind: "fixed" }],
    ["mod+t", { kind: "browser" }],
    ["mod+k", { kind: "taken", by: "mod+k" }],
    ["q", null],
    ["g q", null],
    ["alt+n", null],
  ] as const)("for a new task, the key %p: %p", (key, refusal) => {
    expect(refusalOf({}, "n", key)).toEqual(refusal);
  });

  test("a key that another act gave up is free, and cannot be taken back while it is used", () => {
    const own = withKey(withKey({}, "j", null), "n", "j");
    expect(refusalOf({ j: null }, "n", "j")).toBeNull();
    expect(refusalOf(own, "j", "j")).toEqual({ kind: "taken", by: "n" });
  });

  test("what was kept is used only as far as the table knows it", () => {
    expect(knownKeys({ n: "q", x: null, nothing: "b", k: 7, j: "" })).toEqual({ n: "q", x: null });
    expect(knownKeys("n")).toEqual({});
  });
});

describe("what was pressed", () => {
  const pressed = (key: string, held: object = {}) =>
    chordOf({
      key,
      code: "",
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      ...held,
    });

  test.each([
    ["j", {}, "j"],
    ["J", { shiftKey: true }, "J"],
    ["?", { shiftKey: true }, "?"],
    ["Enter", { ctrlKey: true }, "mod+enter"],
    ["Enter", { metaKey: true, shiftKey: true }, "mod+shift+enter"],
    ["¡", { altKey: true, code: "Digit1" }, "alt+1"],
    // `[` and `@` of German keyboards, on two systems; a chord of an American one.
    ["[", { altKey: true, code: "Digit5" }, "["],
    ["@", { altKey: true, ctrlKey: true, code: "KeyQ" }, "@"],
    ["[", { altKey: true, code: "BracketLeft" }, "alt+["],
    [" ", {}, "space"],
    ["Shift", { shiftKey: true }, null],
    ["Process", {}, null],
  ] as const)("%p with %p is %p", (key, held, chord) => {
    expect(pressed(key, held)).toBe(chord);
  });

  test("signs that a person types are told from chords", () => {
    expect(["j", "g f", "?", "space"].every(isTyped)).toBe(true);
    expect(["mod+k", "escape", "alt+1", "mod+enter"].some(isTyped)).toBe(false);
  });
});
