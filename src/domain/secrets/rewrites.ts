/** Finds what an encoding put into a text: colours, escapes, entities, base64, and joints of split strings. */
import { encodedTexts } from "./encoded-text.ts";

/** A part of a text, and its decoded form. */
export interface Rewrite {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

interface Encoding {
  /** Without one of these, the pattern is not tried. */
  readonly marks: readonly string[];
  readonly pattern: RegExp;
  /** Null if the match stays unchanged. */
  readonly says: (match: RegExpExecArray) => string | null;
}

const COLOURS: Encoding = {
  marks: ["\u001b[", "1b[", "1B[", "033[", "\\e["],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' colours begin with one.
  pattern: /(?:\x1b|\\{1,4}(?:u00|x)1b|\\{1,4}0?33|\\{1,4}e)\[[0-9;:]{0,24}[mK]/gi,
  says: () => "",
};

const NAMED: Readonly<Record<string, string>> = { amp: "&", quot: '"', apos: "'", lt: "<", gt: ">" };

/** Encoded once or several times. */
const ENTITIES: Encoding = {
  marks: ["&#", "&amp;", "&quot;", "&apos;", "&lt;", "&gt;"],
  pattern: /&(?:amp;){0,3}(?:(?<name>quot|apos|lt|gt|amp)|#0?(?<decimal>\d{2,3})|#x(?<hex>[0-9a-f]{2}));/gi,
  says: ({ groups: { name, decimal, hex } = {} }) =>
    name === undefined
      ? printed(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal))
      : (NAMED[name.toLowerCase()] ?? null),
};

/** Signs only: letters are not written like this. */
const PERCENT: Encoding = {
  marks: ["%2", "%3", "%4", "%5", "%7"],
  pattern: /%(?:25){0,2}(?<hex>2[0-9a-f]|3[a-f]|40|5[b-f]|7[b-e])/gi,
  says: ({ groups }) => printed(Number.parseInt(groups?.hex ?? "", 16)),
};

/** As in JSON inside JSON. */
const ESCAPES: Encoding = {
  marks: ["\\u00", "\\x", '\\\\"', "\\/"],
  pattern: /\\{1,16}(?:(?:u00|x)(?<hex>[2-7][0-9a-f])|(?<sign>["'/]))/gi,
  says: ({ groups: { hex, sign } = {} }) => sign ?? printed(Number.parseInt(hex ?? "", 16)),
};

/** Between two strings that a language joins, or in one that goes on in the next line. */
const QUOTE = "\\\\{0,3}[\"'`]";
const OPERATOR = "(?:\\+\\+?|\\.\\.?|<>|\\|\\||&(?: _)?|\\\\|\\.concat\\()";
const JOINTS: Encoding = {
  marks: ['"', "'", "`", "\\\n", "\\\r\n"],
  pattern: new RegExp(
    [
      `(?<quote>${QUOTE})(?:\\\\n${QUOTE},)?(?:\\s{0,60}(?:/\\*[^*]{0,60}\\*/\\s{0,8})?${OPERATOR})?\\s{0,60}(?:${QUOTE}\\s{1,40})?[fbruFBRU]?\\k<quote>(?=[\\w.-])`,
      "\\\\\\r?\\n[ \\t]{0,60}(?=[\\w.-])",
      "\\$\\{[\"']{1,2}\\}?(?=[\\w.-])",
    ].join("|"),
    "g",
  ),
  says: ({ input, index }) => (/[\w.=:-]/.test(input.charAt(index - 1)) ? "" : null),
};

const ENCODINGS: readonly Encoding[] = [COLOURS, ENTITIES, PERCENT, ESCAPES, JOINTS];

/** In the order of the text, without overlaps. */
export function rewritesOf(text: string): readonly Rewrite[] {
  const all = ENCODINGS.flatMap((encoding) => rewritesBy(encoding, text));
  for (const { start, end, says } of encodedTexts(text)) all.push({ start, end, to: says });
  all.sort((a, b) => a.start - b.start);
  let end = 0;
  return all.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

function rewritesBy({ marks, pattern, says }: Encoding, text: string): readonly Rewrite[] {
  if (!marks.some((mark) => text.includes(mark))) return [];
  const found: Rewrite[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const to = says(match);
    if (to !== null) found.push({ start: match.index, end: match.index + match[0].length, to });
  }
  return found;
}

function printed(code: number): string | null {
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : null;
}
