/** Finds private keys in PEM armour, of every kind and length: the kept rule set knows the long ones only. */
import type { FoundText } from "./random-strings.ts";

const HEADERS = String.raw`(?:(?:\r?\n|\\n)[A-Z][A-Za-z-]{1,40}: [^\r\n]{0,200}){0,8}`;
/** As lines, or as one string with escaped line ends. */
const ARMOUR = new RegExp(
  `-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----${HEADERS}([A-Za-z0-9+/=\\s\\\\]{40,20000})-----END `,
  "g",
);
const FEWEST_CHARACTERS = 40;
/** Of base64 of a real key nearly all 64 are there; of a placeholder a handful. */
const FEWEST_DIFFERENT = 20;

/** In the order of the text. */
export function findPrivateKeys(text: string): readonly FoundText[] {
  return [...text.matchAll(ARMOUR)].flatMap((match) => {
    const key = (match[1] ?? "").replace(/\\[nrt]|\s/g, "");
    if (key.length < FEWEST_CHARACTERS || new Set(key).size < FEWEST_DIFFERENT) return [];
    const start = match.index;
    return [{ start, end: start + match[0].length }];
  });
}
