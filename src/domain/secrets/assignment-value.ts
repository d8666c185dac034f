/**
 * Judges a value of unknown shape by its randomness and by its name.
 *
 * Hexadecimal counts from 16 characters on if the name says key or secret, also behind a short start. It
 * does not under `token`, `key` or names of hashes. An environment's `VENDOR_KEY` is a key from 32 characters on,
 * unless it is a fingerprint. A UUID counts for vendors whose keys are UUIDs, and as an environment's `*_TOKEN` or
 * `*_API_KEY`. It also counts under names with secret, private key, access key, API key or API token.
 */
import { isChosenPassword, isCommonPassword, isPassphrase } from "./common-passwords.ts";
import { isFake } from "./fake-values.ts";
import { decodedText, isKnownShape, isRealPassword, isRealSecret, looksRandom } from "./judge-value.ts";
import { maxShareOfRandom, numberOfKinds, shareOfCommonPairs, shareOfKindChanges } from "./randomness.ts";

/** A hexadecimal value with such a name is a key, not a hash. */
const KEYS_NAME =
  /secret|passw|pass$|pwd$|_pw$|bindpw|api[_-]?key|apikey|access[_-]?key|auth[_-]?(?:key|token)|api[_-]?token|access[_-]?token|private|fernet|signing|encrypt|decrypt|validation[_-]?key|master|admin[_-]?key|client|(?:app(?:lication)?|record)[_-]?key|license[_-]?key|account[_-]?key|shared[_-]?key|subscription[_-]?key|consumer[_-]?key|[\w.-]{2,}token$/i;
const HEX_START = /^[a-z][a-z0-9]{1,9}[_:](?:[a-z0-9]{2,4}_)?/;
/** Hexadecimal, also in two or three parts, or behind a prefix that tells its kind. */
const HEX_KEY =
  /^(?=.*\d)(?=.*[a-f])(?:[0-9a-f]{16,}|[0-9a-f]{32,}(?:-[0-9a-f]{8,}){1,2}|[a-z][a-z0-9]{1,9}[_:](?:[a-z0-9]{2,4}_)?[0-9a-f]{24,})$/i;
/** Vendors whose keys are UUIDs. */
const UUID_VENDORS =
  /^x-|heroku|snyk|sendbird|kucoin|hubspot|squarespace|postmark|railway|instana|codecov|infisical|\bexa\b|messagebird|splunk|deepl|deepai|bugsnag|canny|captaindata|censys|cloudmersive|coinapi|graphhopper|holidayapi|insightly|integromat|kontent|kylas|loginradius|logz|leonardo|helius|blazemeter|airvisual|appcues|apptivo|apacta|cliengo|clicksend|everhour|intercom|\bfal\b|npm_?auth|opsgenie|private[_-]?key|secret|passw|api[_-]?(?:key|token)|access[_-]?key|auth[_-]?token/i;
/** An environment variable. */
const SETTING =
  /^[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)?(?:TOKEN|(?:API|APP|ACCESS|AUTH|RECORD|LICENSE|INGEST(?:ION)?)_?KEY)$/;
/** A vendor's key as an environment variable; but fingerprints of package keys look the same. */
export const VENDORS_KEY = /^(?!.*(?:GPG|PGP|HOST|APT|RPM))[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){0,3}_KEY$/;
const FINGERPRINT = /^(?:[0-9A-F]{16}|[0-9A-F]{40})$/;
/** Several numbers of a key, such as an id and a secret. */
const JOINED_HEX = /^(?:\d{1,12}-)?[0-9a-f]{8,}(?:[-:.][0-9a-f]{4,}){0,8}$/i;
const PASSWORD_NAME = /pass|pwd|_pw$|bindpw$/i;
const WEAK_NAME = /^[a-z_.-]*(?:key|keys)$/i;

/** Whether the value is a secret, given its name. */
export function isRealValue(
  value: string,
  { name, isWeak }: { readonly name: string; readonly isWeak: boolean },
): boolean {
  if (/^0x[0-9a-f]{64}$/i.test(value)) return /private|secret|mnemonic|wallet/i.test(name) && !isFake(value);
  if (HEX_KEY.test(value)) return isNameOfHex(name, value) && !isFake(value.replace(HEX_START, ""));
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
    return (UUID_VENDORS.test(name) || SETTING.test(name)) && !isFake(value.replaceAll("-", ""));
  if (/^[0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8}$/.test(value)) return !isFake(value);
  if (PASSWORD_NAME.test(name) && /^(?=.*\d)(?=.*[a-f])[0-9a-f]{12,15}$/.test(value)) return !isFake(value);
  if (JOINED_HEX.test(value))
    return value.length >= 40 && (KEYS_NAME.test(name) || VENDORS_KEY.test(name)) && !isFake(value);
  if (/["'`<>]/.test(value)) return !isWeak && !IN_CODE.test(value) && isStrongPassword(value);
  if (/(?:pass(?:w(?:or)?d|phrase)?|pwd)$/i.test(name) && isPassphrase(value)) return true;
  const said = decodedText(value);
  if (said !== null) return isStrongPassword(said.trim()) || isRealSecret(said.trim());
  if (isWeak) return looksRandom(value, { shortest: 20 }) && isRealSecret(value);
  return ((PASSWORD_NAME.test(name) || value.length >= 14) && isStrongPassword(value)) || isRealSecret(value);
}

/** Whether the name says only "key", which may be the key of anything. */
export function isWeakName(name: string): boolean {
  return WEAK_NAME.test(name) && !KEYS_NAME.test(name);
}

/** A vendor's key is long; shorter values and fingerprints have many names. */
function isNameOfHex(name: string, value: string): boolean {
  if (isWeakName(name)) return VENDORS_KEY.test(name) && value.length >= 32 && !FINGERPRINT.test(value);
  return KEYS_NAME.test(name);
}

/** A string that ends and goes on, or a tag. */
const IN_CODE = /["'`][+,);:\]}]|[+,(:=[{]["'`]|<\/|\/>|<[A-Za-z][^<]*>|^<|>$|[-=]>|<\?|%>/;

const MIN_PASSWORD_LENGTH = 8;

/** Three kinds of characters, or two that change all the time; and no words. */
function isStrongPassword(value: string): boolean {
  if (value.length < MIN_PASSWORD_LENGTH || value.length > 64) return false;
  if (isKnownShape(value) || !isRealPassword(value) || isCommonPassword(value)) return false;
  const isAnything =
    (numberOfKinds(value) >= 3 && shareOfKindChanges(value) >= 0.62) || isChosenPassword(value);
  const { pairs, share } = shareOfCommonPairs(value);
  if ((share >= maxShareOfRandom(pairs) && !isAnything) || !/[a-z]/i.test(value)) return false;
  if (isChosenPassword(value)) return true;
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value);
  const changes = shareOfKindChanges(value);
  if (!/\d/.test(value)) return isMixed && value.length >= 12 && share < 0.5 && changes >= 0.4;
  return changes >= (isMixed ? 0.3 : 0.4) && (isMixed || value.length >= 10);
}
