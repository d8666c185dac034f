/** Judges a password or a token of unknown shape: random, a placeholder, or known. */
import { isChosenPassword, isCommonPassword, isPassphrase } from "./common-passwords.ts";
import { isFake, isPlaceholder, piecesBeside } from "./fake-values.ts";
import {
  bitsPerCharacter,
  isInterspersed,
  isRandom,
  maxShareOfRandom,
  numberOfKinds,
  shareOfCommonPairs,
  shareOfKindChanges,
} from "./randomness.ts";

/** A value that a program fills in, or a part of a pattern. */
const FILLED_IN =
  /\$\{|^\$\w+(?=$|->|::|[[.(])|\{\{|\}\}|%\(\w+\)|^%\w+%$|^%\{|^%[sd]$|^<[A-Za-z/%?!][^<>]*>?$|^\{[^{}]*\}$|<[a-z][^<>]*>|\[\^|^\(\.[*+]|\(\?[:=!<]|\\[wdsS]|\]\{\d|\[[^\]]*\w-\w[^\]]*\]|a-z|A-Z|0-9|^ENC[[(]|^EJ\[|^vault:|^arn:|^secret:|^op:\/\/|^ref:|process\.env|os\.environ|getenv|import\.meta/;

/** The same, and calls. But such signs also occur by chance in values that mix all kinds of characters. */
const FILLED_IN_UNLESS_RANDOM =
  /\$(?:[A-Z_]{3,}|[a-z_]{3,}|[a-z]+(?:[A-Z][a-z]+)+)(?![A-Za-z0-9])|^\$[^\w]|\$\(|^<|^@\w+@?$|#\{|\$\$|=>|&&|\|\||^\w+(?:\.\w+)*\(\w*\)?$/;

function isFilledIn(value: string): boolean {
  return FILLED_IN.test(value) || (FILLED_IN_UNLESS_RANDOM.test(value) && !mixesAllKinds(value));
}

const MIN_MIXED_LENGTH = 12;

/** Letters of both cases, digits and signs, that change nearly every time, and no words. */
export function mixesAllKinds(value: string): boolean {
  if (value.length < MIN_MIXED_LENGTH || numberOfKinds(value) < 4) return false;
  const { pairs, share } = shareOfCommonPairs(value);
  return shareOfKindChanges(value) >= 0.55 && share < maxShareOfRandom(pairs);
}

/** Hashes of passwords, sealed values, public keys, images and addresses. */
const PUBLIC =
  /^\$(?:2[abxy]?|argon2\w*|[156]|apr1|scrypt|pbkdf2[\w-]*|y|7)\$|^\{[A-Z0-9]+\}|^pbkdf2[_:$]|^scrypt:|^bcrypt|^SCRAM-|^md5[0-9a-f]{32}$|^(?:sha\d+|md5|blake\w*)[-:=]|^data:|^encrypted:|^(?:AQICAH|CiQA)[\w+/=-]{80,}$|^AAAA[BCE]3Nz|^(?:ssh-|ecdsa-)|^MI(?:IB[IC]j|G[fe]M|IC[IC]|GfMA)|^[a-z][a-z0-9+.-]*:\/\/|^\$ANSIBLE_VAULT|^Ag[A-D][A-Za-z0-9+/]{100,}|^age1|^pk[_.]|^phc_|^age-/i;

/**
 * Whether the value of a password field is a real password. A short one counts too, unless it is a default password.
 */
export function isRealPassword(value: string): boolean {
  if (isPassphrase(value)) return true;
  if (value.length < 6 || isFilledIn(value) || PUBLIC.test(value) || isMadeUpWord(value)) return false;
  if (/^[0-9a-f]{16,}$/i.test(value)) return true;
  if (value.length < 16 && isCommonPassword(value)) return false;
  const { pairs, share } = shareOfCommonPairs(value);
  if (share >= maxShareOfRandom(pairs) && numberOfKinds(value) < 3) return false;
  return numberOfKinds(value) >= 2 || value.length >= 12;
}

/** Statistics say little about a short value: only its own words count. */
function isMadeUpWord(value: string): boolean {
  return (isChosenPassword(value) ? isPlaceholder(value) : isFake(value)) || /^(.)\1+$/.test(value);
}

/** Whether a value reads as random, for a field in which a secret is expected. */
export function isRealSecret(value: string): boolean {
  if (isFilledIn(value) || isFake(value)) return false;
  return looksRandom(value, { shortest: 16 }) || holdsDrawn(value);
}

const MIN_BESIDE_LENGTH = 12;

/** Whether a part is random, beside words that would make the whole look like words. */
function holdsDrawn(value: string): boolean {
  if (isCommonPassword(value)) return false;
  return (
    piecesBeside(value).some((piece) => piece.length >= MIN_BESIDE_LENGTH && isRandom(piece)) &&
    !isKnownShape(value) &&
    !PUBLIC.test(value)
  );
}

/** Base64 of a name and a password, or a random token. */
export function isRealBasic(value: string): boolean {
  const decoded = decodedText(value);
  if (decoded === null) return isRealSecret(value);
  const password = decoded.slice(decoded.indexOf(":") + 1);
  return password !== "" && isRealPassword(password);
}

/** The decoded base64 if it is text; null for anything else. */
export function decodedText(value: string): string | null {
  if (!/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(value)) return null;
  try {
    const text = atob(value.replace(/-/g, "+").replace(/_/g, "/"));
    return /^[\x20-\x7e\n\r\t]+$/.test(text) ? text : null;
  } catch {
    return null;
  }
}

const MIN_BITS = 3;

/** Words consist of common pairs of letters. Random text changes its kind of character at every other one. */
export function looksRandom(value: string, { shortest }: { readonly shortest: number }): boolean {
  if (value.length < shortest || !/[a-z]/i.test(value) || isKnownShape(value) || PUBLIC.test(value))
    return false;
  if (bitsPerCharacter(value) < MIN_BITS) return false;
  const { pairs, share } = shareOfCommonPairs(value);
  const changes = shareOfKindChanges(value);
  if (!/\d/.test(value))
    return (numberOfKinds(value) >= 2 && changes >= 0.3 && share < 0.5) || (pairs >= 14 && share < 0.42);
  return (share < maxShareOfRandom(pairs) && (changes >= 0.2 || pairs >= 12)) || isInterspersed(value);
}

/** Such as `PKIX_ECDSA_P256_SHA_256`. */
const ALGORITHM =
  /^(?=[A-Z0-9]{0,40}[-_]?(?:[A-Z0-9]{1,12}[-_]){0,6}(?:RSA|ECDSA|ECDH|ECDHE|SHA|HMAC|AES|GCM|CBC)[-_\d])(?:[A-Z]{1,9}\d{0,4}|\d{1,5})(?:[-_](?:[A-Z]{1,9}\d{0,4}|\d{1,5})){2,9}$/;

/**
 * Hashes, UUIDs, object ids, versions, dates, paths and calls. Also words and numbers (or numbered words) that are
 * joined by signs.
 */
export function isKnownShape(value: string): boolean {
  const signs = signsOf(value);
  if (signs >= MIN_SIGNS || isPasswordLike(value) || (signs > 0 && mixesAllKinds(value))) return false;
  if (/^(?:0x)?[0-9a-f]+$/i.test(value) || ALGORITHM.test(value)) return true;
  if (/^[0-9a-f]+(?:[-_.:][0-9a-f]+)+$/i.test(value)) return true;
  if (/^(?:\.{0,2}|~)\/\w|^#|^[.~]|^\w+(?:\.\w+)*\(/.test(value) && isPathLike(value)) return true;
  const parts = value.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  return parts.every(
    (part) => /^(?:[A-Za-z]+|\d+|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d{1,4})$/.test(part) && isWordLike(part),
  );
}

/** So many different signs occur only in passwords, not in paths and names. */
const MIN_SIGNS = 3;

function signsOf(value: string): number {
  return new Set(value.match(/[^A-Za-z0-9\s./:_-]/g)).size;
}

/** Two signs of passwords, and letters in between that are not words. */
function isPasswordLike(value: string): boolean {
  const { pairs, share } = shareOfCommonPairs(value);
  return (value.match(/[!#%^*?~@]/g) ?? []).length >= 2 && pairs >= 6 && share < 0.42;
}

/** Words between signs; a text that begins like a path may be base64. */
function isPathLike(value: string): boolean {
  const { pairs, share } = shareOfCommonPairs(value);
  return pairs < 4 || share >= 0.5;
}

/** A part that is all letters but not a word is random. */
function isWordLike(part: string): boolean {
  const { pairs, share } = shareOfCommonPairs(part);
  return pairs < 6 || share >= 0.5 || (share >= 0.42 && shareOfKindChanges(part) < 0.3);
}
