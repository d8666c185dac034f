/**
 * Tells fake values (placeholders, fixtures, values of documentation) from generated ones.
 *
 * A word such as `dummy` makes a value fake only if nothing beside it looks random. Random means 16 random characters,
 * or 10 that change their kind nearly every time. `…EXAMPLE` at the end always makes a value fake, because clouds mark
 * their documentation so. A run that counts or repeats must be much of the value: long values have it by chance.
 */
import { countsUp, isFlat, isPeriodic, repeatsOneCharacter } from "./patterns.ts";
import { isInterspersed, isRandom, shareOfCommonPairs, shareOfKindChanges } from "./randomness.ts";

/**
 * Words that mark a value as a placeholder. They count only in one case of letters: in mixed case they occur by
 * chance.
 */
const WORDS =
  "example sample dummy fake placeholder changeme changethis replace redacted removed foobar notreal lorem deadbeef cafebabe feedface baadf00d qwerty asdfgh xxxx";
const SAYS_SO = new RegExp(
  [
    ...WORDS.split(" ").flatMap((word) => [
      word,
      word.toUpperCase(),
      word.charAt(0).toUpperCase() + word.slice(1),
    ]),
    "your[a-z]{3}|YOUR[A-Z_]{3}|Your[A-Z][a-z]{2}",
  ].join("|"),
);
/** The same for words between signs such as `-` and `_`. */
const SAYS_SO_APART =
  /chang.?[-_.]me|your[-_.]|[-_.]your|[-_]here$|foo[-_]bar|not[-_]a|insert[-_]|todo[-_]|goes[-_]?here|(?:^|[-_.])(?:test|mock|stub|fixture|demo|invalid|secret|password|token)(?=$|[-_.])/i;
/** A part that is left out of a value, or filled in later. */
const CUT = /\*{3}|\.{3}|…|<[A-Za-z][^<>]*>|^<|\{\{|\$[({]|%\(\w+\)/;
/** The ending that the documentation of clouds gives to example values. */
const MARKED = /EXAMPLE[-_]?(?:KEY|TOKEN|SECRET)?$/;

/** Parts of well-known values from documentation and emulators. */
const DOCUMENTED: readonly string[] = [
  "4eC39HqLyjWDarjtT1zdp7dc BQokikJOvBiI2HlWgH4olfQ2 SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
  "D3asb-2pEZVqMkmL6M9N6nHZRR_znhrh0 Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
  "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw",
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "da39a3ee5e6b4b0d3255bfef95601890afd80709 d41d8cd98f00b204e9800998ecf8427e T00000000/B00000000",
  // Of the standards for OAuth, PKCE, and bearer tokens.
  "2YotnFZFEjr1zCsicMWpAA tGzv3JOkF0XG5Qx2TlKWIA SplxlOBeZQQYbYS6WxSbIA czZCaGRSa3F0MzpnWDFmQmF0M2JW",
  "gX1fBat3bV 7Fjfp0ZBr1KtDRbnfVdmIw mF_9.B5f-4.1JqM ad180jjd733klru7 kd94hf93k423kf44 0685bd9184jfhq22",
  "kkk9d7dh3k39sjv7 9djdj82h48djs9d2 hh5s93j4hdidpola hdhd0244k9j7ao03 nnch734d00sl2jdk pfkkdhi9sl3r4s00",
  "dpf43f3p2l4k3l03 E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
].flatMap((values) => values.split(" "));

/** Judges the text after a token's prefix, or a whole value. */
export function isFake(text: string): boolean {
  return isPlaceholder(text) || isInWords(text);
}

/** The same for a password, which may consist of words. */
export function isPlaceholder(text: string): boolean {
  return (
    CUT.test(text) ||
    saysSo(text) ||
    DOCUMENTED.some((known) => text.includes(known)) ||
    repeatsOneCharacter(text) ||
    isFlat(text) ||
    isPeriodic(text) ||
    countsUp(text)
  );
}

/** The text beside the marking words. */
export function piecesBeside(text: string): readonly string[] {
  return text
    .split(SAYS_SO)
    .flatMap((piece) => piece.split(SAYS_SO_APART))
    .map((piece) => piece.replace(/^[-_.]+|[-_.]+$/g, ""));
}

/** A random value of this length, beside such a word, is still a secret. */
const MIN_BESIDE = 16;

/** Such a word marks the whole value only if nothing beside it looks random. */
function saysSo(text: string): boolean {
  if (MARKED.test(text)) return true;
  if (!SAYS_SO.test(text) && !SAYS_SO_APART.test(text)) return false;
  return piecesBeside(text).every(
    (piece) => !isRandom(piece) && (piece.length < MIN_BESIDE || isFake(piece)),
  );
}

/** Joined words, such as `my-openai-key`. */
function isInWords(text: string): boolean {
  const letters = text.replace(/[^A-Za-z]/g, "").length;
  const signs = text.replace(/[A-Za-z0-9]/g, "").length;
  if (letters < 0.7 * (text.length - signs) || shareOfKindChanges(text) >= 0.4 || isInterspersed(text))
    return false;
  const { pairs, share } = shareOfCommonPairs(text);
  // By chance a third of all pairs are common. If there are few pairs, nearly all must be.
  return pairs >= 8 && share >= (pairs < 14 ? 0.8 : 0.65);
}
