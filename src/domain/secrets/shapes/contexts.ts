/** Lists secrets that are known by the text before them: headers, and files of programs. */
import { isHexKey, isRealCredential } from "../credential.ts";
import { isFake } from "../fake-values.ts";
import { decodedText, isRealBasic, isRealPassword, isRealSecret } from "../judge-value.ts";
import { GATE, type SecretShape } from "../shape.ts";
import { AMBIGUOUS_WHOLE, context } from "../token.ts";

/** Quotes, plain or escaped in JSON inside JSON. */
const QUOTES = `["'\`\\\\]{0,4}`;
/** Between a name and its value. */
const EQUALS = `[\\])]?${QUOTES}[\\])]?\\s{0,4}(?:=>|[:=,])\\s{0,4}(?:[rbf](?=["'\`]))?${QUOTES}`;
/** Any word but those that a signature follows. */
const SCHEME = "(?!aws|hmac|signature|digest|hawk)[a-z][a-z0-9-]{1,30}";
const OPAQUE = "[A-Za-z0-9+/=._~-]";

/** The beginning of any port: times and places in files begin the same way. */
const PORTS = Array.from({ length: 90 }, (_, at) => `:${at + 10}`).join("|");

const NAME_AND_PASSWORD = /^[\x21-\x7e]{1,200}:[\x20-\x7e]{1,1000}$/;

export const CONTEXTS: readonly SecretShape[] = [
  context(
    "Authorization header",
    "authorization",
    `authorization(?:${EQUALS}|\\s{1,4}["'])${SCHEME}\\s{1,4}(?:[a-z0-9]{1,10}:)?(?<secret>${OPAQUE}{8,4096})`,
    { isReal: isRealCredential },
  ),
  context("Authorization header", "authorization", `authorization${EQUALS}(?<secret>${OPAQUE}{20,4096})`, {
    readers: GATE,
    isReal: isRealCredential,
  }),
  context(
    "bearer token",
    "bearer",
    `bearer(?:\\s{1,4}|%20)(?<secret>(?=[A-Za-z+/=._~-]{0,80}[0-9])${OPAQUE}{20,4096})`,
    { wordStart: true, isReal: isRealCredential },
  ),
  context(
    "token in a header",
    "private-token|job-token|deploy-token|x-auth-token|x-api-key|x-goog-api-key",
    `(?:(?:private|job|deploy|x-auth)-token|x-(?:goog-)?api-key)${EQUALS}(?<secret>${OPAQUE}{8,1000})`,
    { isReal: isRealCredential },
  ),
  context(
    "AWS secret key",
    "secret_access_key|secretaccesskey|secret_accesskey|secretaccess_key",
    `secret_?access_?key(?:${EQUALS}|[ ]{1,2})(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/])`,
  ),
  context(
    "session token",
    "session_token|sessiontoken",
    `session_?token${EQUALS}(?<secret>[A-Za-z0-9+/=]{100,4096})`,
  ),
  context(
    "value of an _auth or a _password",
    "_auth|_password",
    `_(?:auth|authtoken|password)(?:\\s{0,2}=\\s{0,2}| )${QUOTES}(?<secret>${OPAQUE}{8,300})`,
    { isReal: (candidate) => isRealBasic(candidate) || (isHexKey(candidate) && !isFake(candidate)) },
  ),
  context(
    "registry credential",
    `auth":|auth\\":`,
    `auth\\\\?"\\s{0,4}:\\s{0,4}\\\\?"(?<secret>[A-Za-z0-9+/]{12,4096}={0,2})\\\\?"`,
    {
      ...AMBIGUOUS_WHOLE,
      isReal: (candidate) => NAME_AND_PASSWORD.test(decodedText(candidate) ?? "") && isRealBasic(candidate),
    },
  ),
  context(
    "password of a .netrc",
    "machine|default",
    `(?:machine\\s{1,40}\\S{1,255}|default(?=\\s{1,40}login))\\s{1,40}(?:(?:login|account)\\s{1,40}\\S{1,255}\\s{1,40}){0,2}password\\s{1,40}(?<secret>[^\\s"\\\\]{1,1000})`,
    { wordStart: true, isReal: isRealPassword },
  ),
  context(
    "password of a .pgpass",
    ":5432:|:5433:|:6432:|:6543:|:*:",
    `:(?:[0-9]{4}|\\*):[^:\\s"'\\\\]{1,63}:[^:\\s"'\\\\]{1,63}:(?<secret>[^\\s"'\\\\:]{4,200})`,
    { isReal: isRealPassword },
  ),
  context(
    "password of a .pgpass",
    PORTS,
    `:[0-9]{2,5}:[^:\\s"'\\\\]{1,63}:[^:\\s"'\\\\]{1,63}:(?<secret>[^\\s"'\\\\:]{4,200})`,
    {
      isAmbiguous: true,
      isReal: (candidate, { path }) =>
        /pgpass/i.test(path) ? isRealPassword(candidate) : isRealSecret(candidate),
    },
  ),
  context(
    "Sidekiq credential",
    "contribsys__com",
    `contribsys__com${EQUALS}(?<secret>[a-f0-9]{8}:[a-f0-9]{8})`,
  ),
];
