/** Lists private keys: in armour, of programs that encrypt and sign, and of wallets. */
import { isFake } from "../fake-values.ts";
import { bitsPerCharacter } from "../randomness.ts";
import { ALNUM, BASE64, type Readers, type SecretShape, textBefore, WORD } from "../shape.ts";
import { AMBIGUOUS_WHOLE, context, token } from "../token.ts";

const GATE: Readers = {
  gate: true,
  redactor: false,
  why: "The redactor sees lines: it takes all lines between head and foot by itself.",
};

/** As lines, or as one string with escaped line ends, indented or quoted; up to the next dashes. */
const BODY = "(?<own>(?:[^-]|-(?!---)){40,20000})";

export const KEYS: readonly SecretShape[] = [
  context(
    "private key",
    "-----begin|---- begin",
    `----?-? ?BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)? ?-----?${BODY}`,
    { readers: GATE, isContext: false, isReal: holdsKeyLines },
  ),
  context(
    "OpenVPN static key",
    "-----begin openvpn static key",
    "-----begin openvpn static key v1-----(?<own>[0-9a-f\\s\\\\rn]{100,2000})",
    { isContext: false, isReal: (candidate) => !isFake(candidate.replace(/\\[rn]|\s/g, "")) },
  ),
  context(
    "PuTTY private key",
    "private-lines:",
    `private-lines: ?[0-9]{1,4}(?<own>[A-Za-z0-9+/=\\s\\\\"',#]{20,8000})`,
    { readers: GATE, isContext: false, isReal: holdsKeyLines },
  ),
  token("encoded private key", "LS0tLS1CRUdJTi", `${BASE64}{60,}={0,2}`, {
    isAmbiguous: true,
    isReal: (candidate) => decoded(`LS0tLS1CRUdJTi${candidate.slice(0, 42)}`).includes("PRIVATE KEY"),
  }),
  context(
    "private key of a JSON web key",
    `d":|d\\":`,
    `d\\\\?"\\s{0,4}:\\s{0,4}\\\\?"(?<secret>${WORD}{40,1000})\\\\?"`,
    {
      ...AMBIGUOUS_WHOLE,
      isReal: (candidate, { text, at }) =>
        /"kty\\?"/.test(text.slice(Math.max(0, at - 2_000), at + 4_000)) && !isFake(candidate),
    },
  ),
  context(
    "shared key of a JSON web key",
    `k":|k\\":`,
    `k\\\\?"\\s{0,4}:\\s{0,4}\\\\?"(?<secret>${WORD}{20,1000})\\\\?"`,
    {
      ...AMBIGUOUS_WHOLE,
      isReal: (candidate, { text, at }) =>
        /"kty\\?"\s{0,4}:\s{0,4}\\?"oct/.test(text.slice(Math.max(0, at - 500), at + 1_500)) &&
        !isFake(candidate),
    },
  ),
  // The beginning of every such file: version 3, and data of PKCS #7.
  token(
    "key store (PKCS #12)",
    "MII",
    `[A-Z][A-Za-z0-9+/]{2}IBAzCC${BASE64}{3}GCSqGSIb3DQEH${BASE64}{100,}={0,2}`,
  ),
  context(
    "recovery phrase of a wallet",
    "mnemonic|seed_phrase|seedphrase|seed phrase|recovery_phrase|recovery phrase",
    `(?:mnemonic|(?:seed|recovery)[_ ]?phrase)[a-z_]{0,20}["'\`\\]]{0,2}\\s{0,4}[:=]\\s{0,4}["'\`]{0,1}(?<secret>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![A-Za-z])`,
    { isReal: isPhraseOfWallet },
  ),
  context(
    "private key of a wallet",
    "accounts|wallet(|keytoaccount(|from_key(",
    `(?:accounts["']?\\s{0,4}[:=]\\s{0,4}\\[|wallet\\(|keytoaccount\\(|from_key\\()\\s{0,20}["'\`](?<secret>(?:0x)?[0-9a-f]{64})["'\`]`,
  ),
  context("private key in XML", "<d>", `<d>\\s{0,8}(?<secret>[A-Za-z0-9+/=\\s]{80,2000})<`, {
    isReal: (candidate, { text, at }) =>
      /<(?:RSA|DSA)KeyValue>/.test(textBefore(text, at, 4_000)) && !isFake(candidate),
    isAmbiguous: true,
  }),
  token("age key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1", "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58,}", {
    anyCase: true,
  }),
  token("age plugin key", "AGE-PLUGIN-", "[A-Z0-9]{2,20}-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{20,}", {
    wordStart: true,
  }),
  token("minisign or signify key", "RWRTY0Iy RWRCSw", `${BASE64}{80,}={0,2}`),
  token("NATS seed", "SUA SAA SOA SNA SCA SXA", "[A-Z2-7]{55}"),
  token("Nostr key", "nsec1", "[ac-hj-np-z02-9]{58}"),
  token("wallet key", "xprv tprv yprv zprv", "[1-9A-HJ-NP-Za-km-z]{107,108}"),
  token("Stellar or Sui key", "suiprivkey1", `${ALNUM}{50,}`),
];

const KEY_LINE = /[A-Za-z0-9+/=_-]{38,}/g;
/** Entropy of a line in bits per character; a line of words or of one repeated letter has less. */
const MIN_BITS = 4;
/** Characters of the headers that may stand before the first line. */
const MAX_HEADERS_LENGTH = 500;
const CODE = /[;{}]|=>|\breturn\b/;

/** Whether a line looks like a line of a key: long, and with nearly all characters of base64. */
function holdsKeyLines(candidate: string): boolean {
  // Text with an ellipsis is a placeholder, not a key.
  if (/\.{3}|…/.test(candidate)) return false;
  const text = candidate.replace(/\\+[nrt]/g, "\n");
  for (const { 0: line, index } of text.matchAll(KEY_LINE)) {
    if (index > MAX_HEADERS_LENGTH || CODE.test(text.slice(0, index))) return false;
    if (bitsPerCharacter(line) >= MIN_BITS && !isFake(line)) return true;
  }
  return false;
}

/** A real phrase draws each word from two thousand, so few words repeat; phrases in tests repeat one word. */
function isPhraseOfWallet(phrase: string): boolean {
  const words = phrase.split(" ");
  return words.length % 3 === 0 && new Set(words).size >= 0.8 * words.length;
}

function decoded(base64: string): string {
  try {
    return atob(base64.slice(0, base64.length - (base64.length % 4)));
  } catch {
    return "";
  }
}
