/**
 * Makes files and queries of what engines read differently: cases, edges of words, ends of lines, bytes outside
 * UTF-8.
 */
import fc from "fast-check";

const WORDS =
  "foo Foo FOO bar x_y é É 😀 1 ( . - ß ẞ K k ſ s Σ ς İ i ı \ufeff \ufffd \u2028 日本 क् \u200d \\ ] [ ^ $ ٣ Ǆ ǅ µ μ";
const word = fc.constantFrom(...WORDS.split(" "), " ", "\t");
const BROKEN = [
  [0xff],
  [0xc3],
  [0xe9],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x98],
  [0xed, 0xa0, 0x80],
  [0xc0, 0x80],
  [0xd],
];
const bytes = fc.oneof(
  { weight: 8, arbitrary: word.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.constantFrom(...BROKEN).map((codes) => Buffer.from(codes)) },
);
const line = fc.array(bytes, { maxLength: 6 }).map((parts) => Buffer.concat(parts));

/** Before a zero byte that comes late enough for the file to be taken for text. */
const LONG_TEXT = Buffer.from("zzz\n".repeat(2500));

/** Some lines, in some files zero bytes among them. */
export const randomBytes = fc
  .tuple(fc.array(line, { maxLength: 6 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, hasZeros]) => {
    const all = Buffer.concat(lines.flatMap((one) => [one, Buffer.from(end)]));
    return hasZeros ? Buffer.concat([LONG_TEXT, all.map((byte) => (byte === 0x20 ? 0 : byte))]) : all;
  });

const ATOMS =
  "f o F b a é É ß k s Σ i µ . \\w \\W \\d \\D \\s \\S [a-f] [^a-f] [A-F\\d] [^\\W] [^\\s\\d] \\p{L} \\P{L} \\p{Lu} \\P{Lu} [^\\p{Lu}] " +
  "[\\P{Ll}x] \\p{Script=Greek} \\p{Han} \\x{1f600} \\ufffd \\x{feff} \\x0d [\\x{a}x] \\x00 \\( - 😀 [k-s] [^é] 日 [\\]\\^-] ^ $ \\b \\B";
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small" },
    { weight: 7, arbitrary: fc.constantFrom(...ATOMS.split(" ")) },
    { weight: 2, arbitrary: fc.tuple(tie("expression"), tie("expression")).map((two) => two.join("")) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie("expression"), tie("expression")).map((two) => `(?:${two.join("|")})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie("expression"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "{0,2}?", "*?", "{0}"))
        .map(([one, times]) => `(${one})${times}`),
    },
  ),
}));

export const randomQuery = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(expression, { minLength: 1, maxLength: 3 })
      .map((parts) => ({ query: parts.join(""), regex: true })),
  },
  {
    weight: 1,
    arbitrary: fc.array(word, { minLength: 1, maxLength: 2 }).map((parts) => ({ query: parts.join("") })),
  },
);
