/** Lists secrets that are arguments of calls: for signing, encrypting and logging in. */

import { isFake } from "../fake-values.ts";
import { isKnownShape, isRealPassword, isRealSecret } from "../judge-value.ts";
import { isRandom, numberOfKinds } from "../randomness.ts";
import { GATE, type SecretShape } from "../shape.ts";
import { context } from "../token.ts";

/** Calls of libraries that take a key or a password. */
const CALLS = [
  "jwt.sign(|jwt.verify(|jwt.encode(|jwt.decode(|jwt::encode(|jwt::decode(|new key(|signedstring(|signwith(",
  "hmac.new(|hmac.digest(|hmac.hexdigest(|hmac::digest(|createhmac(|hash_hmac(|.hmac256(|.hmac384(|.hmac512(|hmacsha256(|hmacsha512(|hmacsha1(|hmacshakeyfor(",
  "createcipher(|createcipheriv(|createdecipher(|createdecipheriv(|openssl_encrypt(|openssl_decrypt(|aes.encrypt(|aes.decrypt(|fernet(|secretkeyspec(|pbekeyspec(|symmetricsecuritykey(|scryptsync(|scrypt(|pbkdf2sync(|pbkdf2(|cookieparser(",
  ".auth(|basicauth(|basic_auth(|login(|plainauth(|passwordauthentication(|passwordcredentials(|networkcredential(|getconnection(|new sequelize(|new octokit(",
].join("|");

const STRING = `"[^"\\n]{0,100}"|'[^'\\n]{0,100}'|\`[^\`\\n]{0,100}\``;
/** Text that may precede the string: other arguments, and complete or open calls. */
const BEFORE = `(?:[^"'\`;()]|\\([^()"'\`;]{0,60}\\)|\\(|${STRING}){0,160}?`;

export const ARGUMENTS: readonly SecretShape[] = [
  context(
    "secret in a call",
    CALLS,
    `[a-z._: ]{2,24}[a-z0-9_]{0,12}\\(${BEFORE}(?<quote>["'\`])(?!(?:aes|des|hmac|sha|pbkdf2|pbe|rsa)[a-z0-9/-]{0,30}["'\`])(?<secret>(?=[^"'\`\\n]{0,100}[0-9])(?:(?!\\k<quote>)[^\\s\\\\]){10,200})\\k<quote>`,
    { readers: GATE, isReal: isKeyOrPassword },
  ),
];

const MIN_HEX_LENGTH = 32;

/** Only the value decides: other strings occur in such calls too. */
function isKeyOrPassword(candidate: string): boolean {
  if (/^[^@\s]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}$|:\/\/|^\w+:[a-z]+[:=]/.test(candidate)) return false;
  if (/^[0-9a-f]+$/i.test(candidate)) return candidate.length >= MIN_HEX_LENGTH && !isFake(candidate);
  if (isKnownShape(candidate) || !isRealPassword(candidate)) return false;
  return isRandom(candidate) || numberOfKinds(candidate) >= 3 || isRealSecret(candidate);
}
