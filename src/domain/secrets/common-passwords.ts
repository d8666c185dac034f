/** Tells common passwords of tutorials and programs from passwords that a person chose. */
import { isRandom, numberOfKinds } from "./randomness.ts";

/** By sign: the letter that it replaces, as in `P@ssw0rd`. */
const LEET = new Map(
  "0o 1i 3e 4a 5s 7t @a $s !i".split(" ").map(([sign = "", letter = ""]) => [sign, letter]),
);
const COMMON =
  /pass|secret|admin|root|test|demo|change|default|guest|user|hello|welcome|qwerty|letmein|iloveyou|dragon|monkey|master|hunter|1234|dummy|foobar|postgres|mysql|mongo|redis|rabbit|maria|oracle|minio|local|login|secur|super|token|creds|docker|database|server|some|null|none|empty/;

/** Counted in short texts only, because one longer text in a hundred holds one of them by chance. */
const SHORT_WORDS = /pwd|abc|foo|bar|key/;
const SHORT = 12;

/**
 * A default password of tutorials and fresh installations, also as `P@ssw0rd`. False if the rest of it looks random.
 */
export function isCommonPassword(text: string): boolean {
  const plain = text.toLowerCase();
  const read = [...plain].map((one) => LEET.get(one) ?? one).join("");
  if (!COMMON.test(plain) && !COMMON.test(read) && !(text.length < SHORT && SHORT_WORDS.test(read)))
    return false;
  return !piecesBeside(text, [plain, read]).some(isRandom);
}

/** The rest of a text without the known words in these readings of it. Each reading has the text's length. */
function piecesBeside(text: string, readings: readonly string[]): readonly string[] {
  const left = [...text];
  for (const reading of readings)
    for (const { 0: word, index } of reading.matchAll(new RegExp(COMMON.source, "g")))
      left.fill(" ", index, index + word.length);
  return left.join("").split(/ +/);
}

/** Words of at least four letters with signs, digits or capitals between them. */
const PHRASE =
  /^(?:(?:[A-Z][a-z]{3,14}|[a-z]{4,14})[-_.#!+~%*&]?\d{0,4}[-_.#!+~%*&]?){2,8}(?:(?<=[-_.#!+~%*&])\d{1,4})?$/;
const WORD = /[A-Z][a-z]{3,14}|[a-z]{4,14}/g;
/** Words of names in code, and of placeholders. */
const WORDS_OF_CODE =
  /[mM]y[-_.A-Z]|the[-_.]|your|example|sample|fake|field|form|page|item|value|name|type|text|valid|mail|link|reset|auth|session|account|service|client|config|error|string|hash|salt|sign|prod|stage|staging|http|html|json|uuid|version|horse|battery|your|here|phrase|random|private|public|access|bearer|basic|policy|button|label|input|view|model|code|role|group|file|path|data|event|state|import|module|component/i;

/** Three words, or two with a capital each, and two digits: a phrase that a person chose as a password. */
export function isPassphrase(text: string): boolean {
  if (text.length < 14 || (text.match(/\d/g) ?? []).length < 2 || !PHRASE.test(text)) return false;
  const words = text.match(WORD) ?? [];
  const capitals = words.filter((word) => /^[A-Z]/.test(word)).length;
  if (words.length < 3 && capitals < 2) return false;
  return !WORDS_OF_CODE.test(text) && !isCommonPassword(text);
}

const MIN_CHOSEN_LENGTH = 12;
const MAX_CHOSEN_LENGTH = 40;
/** Signs that do not occur in names and paths. */
const SIGN_OF_PASSWORDS = /[!#%^*?~@$&+=]/;

/** All kinds of characters, as rules for passwords ask for: its words do not make it a placeholder. */
export function isChosenPassword(text: string): boolean {
  if (text.length < MIN_CHOSEN_LENGTH || text.length > MAX_CHOSEN_LENGTH || numberOfKinds(text) < 4)
    return false;
  if (!/^[\w!#%^*?~@$&+=.:-]+$/.test(text) || !SIGN_OF_PASSWORDS.test(text)) return false;
  return (text.match(/\d/g) ?? []).length >= 2 && !WORDS_OF_CODE.test(text) && !isCommonPassword(text);
}
