/** Lists secrets that are known by the text before them: headers, addresses, files of programs. */
import { isKnownShape, isRealBasic, isRealPassword, isRealSecret } from "../judge-value.ts";
import { isMadeUp } from "../made-up.ts";
import { isDrawn, kindsOf } from "../randomness.ts";
import type { FoundShape, Readers, SecretShape } from "../shape.ts";
import { context } from "../token.ts";
import { isRealWebToken } from "../web-token.ts";

/** Quotes, plain or escaped in JSON inside JSON. */
const QUOTES = `["'\`\\\\]{0,4}`;
/** Between a name and its value. */
const EQUALS = `[\\])]?${QUOTES}[\\])]?\\s{0,4}(?:=>|[:=,])\\s{0,4}(?:[rbf](?=["'\`]))?${QUOTES}`;
/** Any word but those that a signature follows. */
const SCHEME = "(?!aws|hmac|signature|digest|hawk)[a-z][a-z0-9-]{1,30}";
const OPAQUE = "[A-Za-z0-9+/=._~-]";

const GATE: Readers = {
  gate: true,
  redactor: false,
  why: "What agents print is full of names and values of this form; only a look at the value tells.",
};

/** The beginning of any port: times and places in files begin the same way. */
const PORTS = Array.from({ length: 90 }, (_, at) => `:${at + 10}`).join("|");

export const CONTEXTS: readonly SecretShape[] = [
  context(
    "Authorization header",
    "authorization",
    `authorization(?:${EQUALS}|\\s{1,4}["'])${SCHEME}\\s{1,4}(?:[a-z0-9]{1,10}:)?(?<secret>${OPAQUE}{8,4096})`,
    {
      isReal: isRealCredential,
    },
  ),
  context("Authorization header", "authorization", `authorization${EQUALS}(?<secret>${OPAQUE}{20,4096})`, {
    readers: GATE,
    isReal: isRealCredential,
  }),
  context(
    "bearer token",
    "bearer",
    `bearer(?:\\s{1,4}|%20)(?<secret>(?=[A-Za-z+/=._~-]{0,80}[0-9])${OPAQUE}{20,4096})`,
    {
      wordStart: true,
      isReal: isRealCredential,
    },
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
    { isReal: (own) => !isMadeUp(own) },
  ),
  context(
    "session token",
    "session_token|sessiontoken",
    `session_?token${EQUALS}(?<secret>[A-Za-z0-9+/=]{100,4096})`,
    {
      isReal: (own) => !isMadeUp(own),
    },
  ),
  context(
    "value of an _auth or a _password",
    "_auth|_password",
    `_(?:auth|authtoken|password)(?:\\s{0,2}=\\s{0,2}| )${QUOTES}(?<secret>${OPAQUE}{8,300})`,
    {
      isReal: (own) => isRealBasic(own) || (isHexKey(own) && !isMadeUp(own)),
    },
  ),
  context(
    "registry credential",
    `auth":|auth\\":`,
    `auth\\\\?"\\s{0,4}:\\s{0,4}\\\\?"(?<secret>[A-Za-z0-9+/]{12,4096}={0,2})\\\\?"`,
    {
      wordStart: true,
      isAmbiguous: true,
      isReal: (own) => saysPassword(own) && isRealBasic(own),
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
      isReal: (own, { path }) => (/pgpass/i.test(path) ? isRealPassword(own) : isRealSecret(own)),
    },
  ),
  context(
    "password in an address",
    "://",
    `://[^\\s/:@'"<>\\\\]{0,100}:(?<secret>[^\\s/@'"<>\\\\]{1,1000})(?=@)`,
    {
      isReal: isRealInAddress,
    },
  ),
  context("token in an address", "://", `(?<=https?)://(?<secret>[^\\s/:@'"<>\\\\]{16,300})(?=@)`, {
    isReal: (own, { text, at, match }) =>
      (isRealSecret(own) || (isHexKey(own) && !isMadeUp(own))) &&
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
    isReal: (own, found) => !isAtExample(found) && isRealCredential(own, found),
  }),
  context(
    "Sidekiq credential",
    "contribsys__com",
    `contribsys__com${EQUALS}(?<secret>[a-f0-9]{8}:[a-f0-9]{8})`,
    {
      isReal: (own) => !isMadeUp(own),
    },
  ),
  context(
    "key in a connection string",
    "accountkey=|sharedaccesskey=|primarykey=",
    `(?:accountkey|sharedaccesskey|primarykey)=(?<secret>[A-Za-z0-9+/]{20,500}={0,2})`,
    {
      isReal: (own) => !isMadeUp(own),
    },
  ),
  context(
    "password in a connection string",
    "password=|pwd=|password =|pwd =",
    `(?:password|pwd) ?= ?\\{?(?<secret>[^;{}'"\\s&<>\`\\\\]{6,100})`,
    {
      isAmbiguous: true,
      isReal: (own, { text, at }) => isConnectionString(text, at) && isRealPassword(own),
    },
  ),
  context(
    "password of a command",
    `-u |-u=|--user |--user=|-u'|-u"`,
    `(?:-u|--user)[\\s=]{0,3}["']?[^\\s:"'\\\\]{0,80}:(?<secret>[^\\s"'\\\\]{6,200})`,
    {
      wordStart: true,
      readers: GATE,
      isReal: (own, { text, at }) =>
        /curl|wget|http/i.test(text.slice(Math.max(0, at - 300), at)) && isRealPassword(own),
    },
  ),
  context("password of a command", "sshpass -p", `sshpass -p ?["']?(?<secret>[^\\s"'\\\\]{6,200})`, {
    readers: GATE,
    isReal: isRealPassword,
  }),
  context(
    "password of a login",
    "credential|basicauth|basic_auth|auth=(|login(|getconnection(|mysqli(|pdo(|connect(",
    `(?:credentials?|basic_?auth|auth=|login|getconnection|mysqli|pdo|connect)\\s?\\(\\s{0,4}(?<secret>(?:["'][^"'\\n]{0,100}["']\\s?,?\\s{0,4}){2,5})`,
    { readers: GATE, isReal: holdsPassword },
  ),
  context(
    "password in SQL",
    "identified by|password '",
    `(?:identified by|password)\\s{1,4}'(?<secret>[^'\\s]{6,200})'`,
    {
      readers: GATE,
      isReal: isRealPassword,
    },
  ),
];

/** Whether the address is reserved for documentation (RFC 2606). */
function isAtExample({ text, at }: FoundShape): boolean {
  return /\/\/(?:[\w-]{1,30}\.){0,3}example(?:\.\w{2,6}){0,2}(?:[:/][^\s"'`]{0,100})?$/.test(
    text.slice(Math.max(0, at - 160), at),
  );
}

/** If only a credential can be in this place, a shorter one counts too. */
const SHORT_HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/i;

/** A token of a header: a JSON web token, a name with a password, or a random value. */
export function isRealCredential(own: string, { match }: FoundShape): boolean {
  const [, payload, signature] = own.split(".");
  if (own.startsWith("eyJ") && payload !== undefined && signature !== undefined)
    return isRealWebToken(payload, signature);
  if (/basic\s/i.test(match[0])) return isRealBasic(own);
  return isRealSecret(own) || ((isHexKey(own) || SHORT_HEX.test(own)) && !isMadeUp(own));
}

/** Whether one of these strings looks random. */
function holdsPassword(strings: string): boolean {
  return [...strings.matchAll(/["']([^\s"']{8,100})["']/g)].some(
    ([, one = ""]) =>
      isRealPassword(one) && (isHexKey(one) || (!isKnownShape(one) && (isDrawn(one) || kindsOf(one) === 4))),
  );
}

export function isHexKey(own: string): boolean {
  return /^[0-9a-f]{24,}(?:-[0-9a-f]{8,}){0,2}$/i.test(own) || isUuid(own);
}

function isUuid(own: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(own) && !isMadeUp(own.replaceAll("-", ""));
}

function saysPassword(own: string): boolean {
  try {
    return /^[\x21-\x7e]{1,200}:[\x20-\x7e]{1,1000}$/.test(atob(own));
  } catch {
    return false;
  }
}

/** The local machine, and the name of a service beside it. */
const LOCAL = /^@(?:localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker\.internal)/i;
const BESIDE = /^@[a-z][a-z0-9_-]{0,30}(?=[:/?\s"'`\\]|$)/i;

/** Programs on the local machine have well-known passwords; a random one counts there too. */
function isRealInAddress(own: string, { text, at, match }: FoundShape): boolean {
  const user = match[0].slice(3, match[0].indexOf(":", 3));
  const password = unescaped(own);
  if (password === user || !isRealPassword(password)) return false;
  const host = text.slice(at + match[0].length, at + match[0].length + 60);
  const isKey = isRealSecret(password) || isHexKey(password);
  if (LOCAL.test(host)) return isKey;
  return !BESIDE.test(host) || isKey || (kindsOf(password) >= 3 && password.length >= 10);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether the string around it has more fields of a connection. */
function isConnectionString(text: string, at: number): boolean {
  const around = text.slice(Math.max(0, at - 250), at + 250);
  // The form of libpq: fields with only spaces in between.
  const line = text.slice(Math.max(0, at - 250), at + 250);
  if (
    /(?:^|[\s"'`])(?:host|hostaddr|port|user|dbname)=[^\s,()"']{1,100} (?:[a-z_]{1,20}=[^\s,()"']{1,100} ){0,8}(?:password|pwd)=/.test(
      line,
    )
  )
    return true;
  return (
    around.includes(";") &&
    /(?:server|data source|host|user ?id|uid|user(?:name)?|database(?:name)?|initial catalog|endpoint|driver) ?=/i.test(
      around,
    )
  );
}
