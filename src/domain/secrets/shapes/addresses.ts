/** Lists secrets in addresses and in connection strings. */
import { isHexKey, isRealCredential } from "../credential.ts";
import { isFake } from "../fake-values.ts";
import { isRealPassword, isRealSecret } from "../judge-value.ts";
import { numberOfKinds } from "../randomness.ts";
import { type FoundShape, GATE, type SecretShape, textBefore } from "../shape.ts";
import { context } from "../token.ts";

export const ADDRESSES: readonly SecretShape[] = [
  context(
    "password in an address",
    "://",
    `://[^\\s/:@'"<>\\\\]{0,100}:(?<secret>[^\\s/@'"<>\\\\]{1,1000})(?=@)`,
    { isReal: isRealInAddress },
  ),
  context("token in an address", "://", `(?<=https?)://(?<secret>[^\\s/:@'"<>\\\\]{16,300})(?=@)`, {
    isReal: (candidate, { text, at, match }) =>
      (isRealSecret(candidate) || (isHexKey(candidate) && !isFake(candidate))) &&
      !/^@[^/\s]{0,100}sentry/.test(text.slice(at + match[0].length, at + match[0].length + 120)),
  }),
  context(
    "token in an address",
    "token=|apikey=|api_key=|api-key=|password=|secret=|appid=|access_key=|accesskey=|app_key=|auth_key=|authkey=|subscription-key=",
    `(?<=[?&;](?:(?:access|private|auth|client|user|api|session|app)[_-]?)?)(?:token|api[_-]?key|password|secret|appid|access_?key|app_key|auth_?key|subscription-key)=(?<secret>[^\\s&'"#<>\\\\]{8,1000})`,
    { isReal: isRealCredential },
  ),
  context("key in an address", "?key=|&key=", `[?&]key=(?<secret>[A-Za-z0-9+/=._~-]{20,300})`, {
    readers: GATE,
    isReal: (candidate, found) => !isAtExample(found) && isRealCredential(candidate, found),
  }),
  context(
    "key in a connection string",
    "accountkey=|sharedaccesskey=|primarykey=",
    `(?:accountkey|sharedaccesskey|primarykey)=(?<secret>[A-Za-z0-9+/]{20,500}={0,2})`,
  ),
  context(
    "password in a connection string",
    "password=|pwd=|password =|pwd =",
    `(?:password|pwd) ?= ?\\{?(?<secret>[^;{}'"\\s&<>\`\\\\]{6,100})`,
    {
      isAmbiguous: true,
      isReal: (candidate, { text, at }) => isConnectionString(text, at) && isRealPassword(candidate),
    },
  ),
];

/** Whether the address is reserved for documentation (RFC 2606). */
function isAtExample({ text, at }: FoundShape): boolean {
  return /\/\/(?:[\w-]{1,30}\.){0,3}example(?:\.\w{2,6}){0,2}(?:[:/][^\s"'`]{0,100})?$/.test(
    textBefore(text, at, 160),
  );
}

/** The local machine, and the name of a service beside it. */
const LOCAL = /^@(?:localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker\.internal)/i;
const BESIDE = /^@[a-z][a-z0-9_-]{0,30}(?=[:/?\s"'`\\]|$)/i;

/** Programs on the local machine have well-known passwords; a random one counts there too. */
function isRealInAddress(candidate: string, { text, at, match }: FoundShape): boolean {
  const user = match[0].slice(3, match[0].indexOf(":", 3));
  const password = unescaped(candidate);
  if (password === user || !isRealPassword(password)) return false;
  const host = text.slice(at + match[0].length, at + match[0].length + 60);
  const isKey = isRealSecret(password) || isHexKey(password);
  if (LOCAL.test(host)) return isKey;
  return !BESIDE.test(host) || isKey || (numberOfKinds(password) >= 3 && password.length >= 10);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Fields of a connection with only spaces in between, as of libpq, and with semicolons. */
const OF_LIBPQ =
  /(?:^|[\s"'`])(?:host|hostaddr|port|user|dbname)=[^\s,()"']{1,100} (?:[a-z_]{1,20}=[^\s,()"']{1,100} ){0,8}(?:password|pwd)=/;
const FIELD =
  /(?:server|data source|host|user ?id|uid|user(?:name)?|database(?:name)?|initial catalog|endpoint|driver) ?=/i;

/** Whether the string around it has more fields of a connection. */
function isConnectionString(text: string, at: number): boolean {
  const around = text.slice(Math.max(0, at - 250), at + 250);
  return OF_LIBPQ.test(around) || (around.includes(";") && FIELD.test(around));
}
