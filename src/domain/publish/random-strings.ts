/** Finds long random strings that are assigned to names like token, secret, key or password. */

export interface FoundText {
  /** Offsets in the text, as of a slice. */
  readonly start: number;
  readonly end: number;
}

const NAME =
  "([A-Za-z0-9_.-]{0,60}(?:secret|token|passw(?:or)?d|passphrase|pwd|credential|key)[A-Za-z0-9_-]{0,30})";
const BETWEEN = String.raw`["'\]]{0,2}[ \t]{0,20}(?::=|=>|[:=])[ \t]{0,20}`;
const VALUE = "([A-Za-z0-9+/_~.!@#$%^&*=-]{20,200})";
const QUOTED = new RegExp(`${NAME}${BETWEEN}(["'\`])${VALUE}\\2`, "gi");
/** Without quotes only where a line is nothing but a name and its value: in code that would be an expression. */
const BARE = new RegExp(`^[ \\t]{0,40}(?:export |set |- )?${NAME}${BETWEEN}()${VALUE}[ \\t\\r]*$`, "gim");

/** Names that speak of something that may be known: of a hash, a public key, a place on a keyboard. */
const HARMLESS_NAME = /public|hash|sha\d|digest|checksum|integrity|fingerprint|etag|keyboard|monkey|keyword/i;
const PLACEHOLDER = /example|sample|dummy|placeholder|changeme|change_me|your|xxxx|\*\*\*\*|1234567|\.\.\./i;
/** Files that tools write, full of hashes. */
const GENERATED =
  /(?:^|\/)(?:[^/]*lock\.(?:json|yaml)|npm-shrinkwrap\.json|[^/]*\.lock|go\.sum|[^/]*\.min\.[a-z]+|[^/]*\.map|[^/]*\.snap)$/i;
const CONFIGURATION =
  /(?:^|\/)(?:\.[^/.]*rc|\.env[^/]*|[^/]*\.(?:env|ini|cfg|conf|properties|toml|ya?ml|tfvars|sh)|[^/.]+)$/i;
/** A longer line was made by a machine. */
const LONGEST_LINE = 1000;

/** In the order of the text. */
export function findRandomStrings(text: string, path: string): readonly FoundText[] {
  if (GENERATED.test(path)) return [];
  const patterns = CONFIGURATION.test(path) ? [QUOTED, BARE] : [QUOTED];
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(assigned));
  return found.filter(({ start }) => !isInLongLine(text, start)).sort((a, b) => a.start - b.start);
}

function assigned(match: RegExpMatchArray): FoundText[] {
  const [whole, name = "", quote = "", value = ""] = match;
  if (HARMLESS_NAME.test(name) || PLACEHOLDER.test(value) || !looksRandom(value)) return [];
  const end = (match.index ?? 0) + whole.trimEnd().length - quote.length;
  return [{ start: end - value.length, end }];
}

function isInLongLine(text: string, at: number): boolean {
  const from = text.lastIndexOf("\n", at) + 1;
  const to = text.indexOf("\n", at);
  return (to < 0 ? text.length : to) - from > LONGEST_LINE;
}

/** Words run on in one kind of letter; what a generator draws changes its kind at every other character. */
export function looksRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/i.test(value) || isKnownShape(value)) return false;
  return changesOfKind(value) >= 0.28 && inWords(value) <= 0.4 && bitsPerCharacter(value) >= 3.4;
}

/** Hashes, UUIDs, object ids, versions, dates, paths, calls, and words and numbers (or numbered words) that are joined by signs. */
function isKnownShape(value: string): boolean {
  if (/^(?:0x)?[0-9a-f]+$/i.test(value)) return true;
  if (/^(?:sha\d+|md5|blake\w*)[-:=]/i.test(value)) return true;
  if (/^[0-9a-f]+(?:[-_.:][0-9a-f]+)+$/i.test(value)) return true;
  if (/^[./~]|^\w+(?:\.\w+)*\(/.test(value)) return true;
  const parts = value.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  return parts.every((part) => /^(?:[A-Za-z]+|\d+|[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})*\d{1,4})$/.test(part));
}

function changesOfKind(value: string): number {
  const kinds = [...value].map(kindOf);
  return kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length / (value.length - 1);
}

function kindOf(character: string): "lower" | "upper" | "digit" | "other" {
  if (character >= "a" && character <= "z") return "lower";
  if (character >= "A" && character <= "Z") return "upper";
  return character >= "0" && character <= "9" ? "digit" : "other";
}

/** The share of characters that stand in what could be a word: letters that can be spoken. */
function inWords(value: string): number {
  const runs = value.match(/[A-Z]?[a-z]{3,}|[A-Z]{4,}/g) ?? [];
  return runs.filter(canBeSpoken).join("").length / value.length;
}

function canBeSpoken(letters: string): boolean {
  const vowels = letters.match(/[aeiouy]/gi)?.length ?? 0;
  return vowels / letters.length >= 0.25 && !/[^aeiouy]{4}/i.test(letters);
}

/** Shannon's entropy of the value's own letters. */
function bitsPerCharacter(value: string): number {
  const counts = Map.groupBy(value, (character) => character).values();
  return [...counts].reduce((bits, { length }) => {
    const share = length / value.length;
    return bits - share * Math.log2(share);
  }, 0);
}
