/** Finds values of unknown shape by their names: passwords, secrets, tokens and keys. */
import { isChosenPassword, isEverybodysPassword, isPassphrase } from "../everybodys.ts";
import { decodedText, isKnownShape, isRealPassword, isRealSecret, looksRandom } from "../judge-value.ts";
import { isMadeUp } from "../made-up.ts";
import { changesOfKind, kindsOf, mostCommon, shareOfCommonPairs } from "../randomness.ts";
import { isSealed } from "../sealed.ts";
import type { FoundShape, SecretShape } from "../shape.ts";
import { context } from "../token.ts";

const STARTS = "secret|token|pass|pwd|credential|creds|key|_pw|bindpw|_pat|_auth";
const NAMES =
  "secret|token|pass|pwd|credential|creds|key|_pw|bindpw|(?<=[A-Za-z0-9])_(?:pat|auth)(?![A-Za-z0-9])";
/** The rest of the name. */
const TAIL = "[A-Za-z0-9_-]{0,40}";
const CLOSES = `(?:["'\`\\\\\\])]{0,5}|&quot;|&#3[49];)`;
/** A type, as in `key: string = "…"`. */
const TYPE = `(?:: ?(?:\\[\\]const u8|[A-Za-z&'<>?*|.\\[\\]]{1,24})| as [a-z.]{1,24})?`;
const SIGN = "(?:=>|:=|\\?=|\\|\\|=?|\\?\\?=?|:-|===?|[:=]|->|<-|>)";
const BETWEEN = [
  // `<password><value>…`.
  `["']?>\\s{0,40}<(?:value|string)>`,
  // `char key[] = "…"`.
  "\\[[0-9]{0,4}\\] ?= ?",
  `${CLOSES}\\s{0,20}${TYPE}\\s{0,20}${SIGN}\\s{0,20}(?:[rbufn@](?=["'\`])|[A-Za-z.:]{1,24}\\()?`,
  // A property of C#: `string Secret { get; set; } = "…"`.
  "\\s{1,4}\\{ ?get;[^{}=\\n]{0,30}\\} ?= ?",
  // A pair of arguments, or one.
  `["'\`\\\\]{1,4}\\s{0,4}[,)]\\s{0,20}(?:default\\s?=\\s?)?`,
  "\\(\\s{0,4}",
  // `<add key="password" value="…"/>`, `- name: API_KEY` and `value: …` below, `"password": {"value": "…"}`.
  `["'>\\\\]{0,3}(?:,\\s{0,40}|\\s{1,40}|\\s?:\\s?\\{\\s{0,20})["'\\\\]{0,3}(?:(?:parameter)?value|content)["'\\\\]{0,3}\\s{0,2}[:=]\\s{0,4}`,
  // `<key>password</key><string>…`, `<password encoding="x">…`, `<setting name="password" x="y"><value>…`.
  "</[a-z]{1,20}>\\s{0,40}<[a-z]{1,20}>",
  `["']?\\s[^<>\\n]{1,60}>(?:\\s{0,20}<value>)?`,
  // A row of a table, and a sentence.
  "`?[ \\t]{1,20}\\|[ \\t]{1,20}`?",
  "[ \\t](?:for [^\\n\"'`]{1,40} )?(?:is|was|to|is now):?[ \\t]",
  // In bold letters.
  ":?\\*\\*:?[ \\t]{1,4}",
  // A list, or its first line in YAML.
  `${CLOSES}\\s{0,4}[:=]\\s{0,4}\\[\\s{0,40}`,
  ":[ \\t]{0,4}\\r?\\n[ \\t]{0,20}(?:-|value:|default:)[ \\t]{1,4}",
  // An output of Terraform, a variable of it, and a parameter of CloudFormation.
  `\\\\?"\\s?:\\s?\\{(?:\\s{0,40}"(?:sensitive|type|description)"\\s?:\\s?(?:true|false|"[^"\\n]{0,80}"),){1,3}\\s{0,40}"value"\\s?:\\s?`,
  `"\\s\\{[^{}]{0,300}?\\sdefault\\s{0,20}=\\s{0,4}`,
  ":[ \\t]{0,4}\\r?\\n(?:[ \\t]{1,20}\\w{1,30}:[^\\n]{0,120}\\n){1,4}?[ \\t]{1,20}default:[ \\t]{1,4}",
  // Two words of a command.
  `["']\\s{1,4}(?=["'])`,
  // A block of YAML.
  ":[ \\t]{1,4}[>|][-+]?[ \\t]{0,4}\\r?\\n[ \\t]{1,20}",
  "[ \\t]{1,4}",
].join("|");
const BREAK = "(?:\\r?\\n[ \\t]{0,20})?";
const QUOTED = `(?<quote>"""|'''|\\\\{0,3}["'\`]|&quot;|&#3[49];)${BREAK}(?<secret>[^\\s"'\`<>\\\\]{8,4096}|(?:(?!\\k<quote>)(?:[^\\s\\\\]|\\\\["'\\\\/$])){8,64})${BREAK}\\k<quote>`;
/** Up to the end of its line; in other places some signs end it. */
const LINE = `(?<line>[^\\s"'\`\\\\]{8,400})(?=[ \\t]*(?:$|[\\r\\n]|\\\\[nr])|(?<rest> [a-z]))`;
const BARE = `(?<bare>[^\\s"'\`<>,;(){}\\[\\]|\\\\&]{8,400})(?=$|[\\s"'\`<,;}\\]&|]|\\\\[nrt"'])`;

export const ASSIGNMENTS: readonly SecretShape[] = [
  context(
    "random value under the name of a secret",
    STARTS,
    `(?:${NAMES})${TAIL}(?<between>${BETWEEN})(?:${QUOTED}|${BARE}|${LINE})`,
    {
      readers: {
        gate: true,
        redactor: false,
        why: "Agents' streams are full of ids under such names, which their followers need.",
      },
      isReal: isRealAssignment,
    },
  ),
];

/** Names of public values, or names that only sound secret. */
const HARMLESS_NAME = /public|pub[_-]?key|publishable|encrypted|sealed|request[_-]?verification|viewstate/i;
/** The same, unless the end of the name calls it a secret. */
const HARMLESS_UNLESS_SECRET =
  /hash(?!icorp)|sha\d|digest|checksum|integrity|fingerprint|etag|nonce|csrf|xsrf|authenticity|i18n|translation/i;
const CALLED_SECRET = /secret(?:[_-]?key)?$|passw(?:or)?d$|api[_-]?(?:key|token)$/i;
/** Words that only contain the letters of such a name: without them, the name must still be one. */
const SOUNDS_SO =
  /keyboard|keyword|monkey|hotkey|donkey|turkey|tokeniz[a-z]*|compass|bypass|passe[ds]|passing|passenger|passport|passive/gi;
const NAMED = new RegExp(NAMES, "i");
/** The same for a key or a token. A password of a cache or a queue is still a secret. */
const HARMLESS_KEY =
  /sort[_-]?key|partition|primary|foreign|unique|cache|idempot|site[_-]?key|measurement|continuation|cursor|(?:page|sync|next|resume)[_-]?token|search[_-]?(?:only)?[_-]?(?:api)?[_-]?key|design(?:[_-]?(?:key|token)s?)|license[_-]?key[_-]?id|cookie[_-]?name|storage[_-]?key|queue|routing|message[_-]?key|label[_-]?key|column|host[_-]?key|known|authorized|recaptcha[_-]?key/i;
const SECRETS_NAME = /secret|pass|pwd|credential/i;
const HARMLESS_LAST: ReadonlySet<string> = new Set(
  `id ids name names url urls uri uris path paths file files dir folder type types length size count hash hashed ref
  prefix suffix field fields label placeholder expiry expires expiration ttl policy hint column selector version alias
  header headers param params pattern regex format algorithm arn kind class status state error message title description
  text link endpoint issuer scope scopes audience usage vault ring store board code codes frame frames less thumbprint
  fingerprint digest checksum pub public location env var provider manager strategy component page form input reset map
  set list at date time timeout duration rotation index count limit mode enabled required visible`.split(
    /\s+/,
  ),
);
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
const VENDORS_KEY = /^(?!.*(?:GPG|PGP|HOST|APT|RPM))[A-Z][A-Z0-9]*(?:_[A-Z0-9]+){0,3}_KEY$/;
const FINGERPRINT = /^(?:[0-9A-F]{16}|[0-9A-F]{40})$/;
/** Several numbers of a key, such as an id and a secret. */
const JOINED_HEX = /^(?:\d{1,12}-)?[0-9a-f]{8,}(?:[-:.][0-9a-f]{4,}){0,8}$/i;
const PASSWORD_NAME = /pass|pwd|_pw$|bindpw$/i;
const WEAK_NAME = /^[a-z_.-]*(?:key|keys)$/i;

/** Generated files, full of hashes. */
const GENERATED =
  /(?:^|\/)(?:[^/]*lock\.(?:json|yaml)|npm-shrinkwrap\.json|[^/]*\.lock|lock\.\w+|go\.sum|[^/]*\.map|[^/]*\.snap|[^/]*\.lockfile|packages\.lock\.json|verification-metadata\.xml)$/i;
const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|java|kts?|scala|rs|rb|php|c|h|cc|cpp|hpp|cs|swift|mm?|dart|lua|exs?|erl|hs|mli?|fs|vb|pl|pm|r|jl|groovy|gradle|vue|svelte|zig|nim|css|s[ac]ss|less|tf|hcl|ps1|html?|sol|proto|graphql)$/i;
const LONGEST_LINE = 1000;

function isRealAssignment(_: string, found: FoundShape): boolean {
  const { match, text, at, path } = found;
  const { secret, between = "" } = match.groups ?? {};
  const bare = match.groups?.bare ?? match.groups?.line;
  const value = secret?.replace(/\\(["'\\/$])/g, "$1") ?? bare ?? "";
  const front = nameBefore(text, at);
  // `vendor.api.key` counts like `vendor-api-key`.
  const name = (front + (/^[A-Za-z0-9_-]+/.exec(match[0])?.[0] ?? "")).replaceAll(".", "-");
  if (GENERATED.test(path) || isHarmlessName(name) || isNamedAfter(value, name)) return false;
  if (
    /^[ \t]+$/.test(between) &&
    !isNamedByCommand(text, at - front.length, bare !== undefined && CODE.test(path))
  )
    return false;
  // Only a shell ends a value at a space, after a bare `=`.
  if (match.groups?.rest !== undefined && between !== "=") return false;
  // Lists with such names may hold words, too.
  if (LIST.test(between) && value.length < SHORTEST_LISTED) return false;
  if (ENCRYPTED_CALL.test(between) || DESCRIBING_CALL.test(between)) return false;
  // Text between tags is not code.
  const isCell = between.startsWith("</");
  if (bare !== undefined && !isCell && isExpression(text, at - front.length, path)) return false;
  const isWeak = WEAK_NAME.test(name) && !KEYS_NAME.test(name);
  if (isWeak && ((bare !== undefined && !VENDORS_KEY.test(name)) || isInLongLine(text, at))) return false;
  return isRealValue(value, { name, isWeak }) && !isSealed(text, at);
}

/** `keyIcon: "keyIcon_9tgDN"`, as style sheets name their classes. */
function isNamedAfter(value: string, name: string): boolean {
  return value.startsWith(`${name}_`) && value.length <= name.length + LONGEST_SUFFIX;
}

const LONGEST_SUFFIX = 12;

const LIST = /(?:\[\s*|\n[ \t]*-[ \t]+)$/;
const SHORTEST_LISTED = 20;

/** The form of a value that Jasypt has encrypted. */
const ENCRYPTED_CALL = /ENC\($/;
/** Generated descriptions of messages, pictures and fonts. */
const DESCRIBING_CALL = /(?:desc|descriptor|schema|svg|image|icon|font)\w*\($/i;

function isHarmlessName(name: string): boolean {
  if (HARMLESS_NAME.test(name) || HARMLESS_LAST.has(lastWord(name))) return true;
  if (HARMLESS_UNLESS_SECRET.test(name) && !CALLED_SECRET.test(name)) return true;
  if (!NAMED.test(name.replace(SOUNDS_SO, ""))) return true;
  return HARMLESS_KEY.test(name) && !SECRETS_NAME.test(name);
}

/** The last word of `api_key_name` or `apiKeyName`. */
function lastWord(name: string): string {
  return (/[A-Z]?[a-z]+$|[A-Z]+$|\d+$/.exec(name)?.[0] ?? "").toLowerCase();
}

const LONGEST_NAME = 60;

function nameBefore(text: string, at: number): string {
  return /[A-Za-z0-9_.-]*$/.exec(text.slice(Math.max(0, at - LONGEST_NAME), at))?.[0] ?? "";
}

const NAMING =
  /(?:^|\s)(?:--|ENV |ARG |#\s?define |setx |setenv |set -g?x |SetEnv |proxy_set_header |set \$)$|[\s{(]:$/;

/** `--password …`, `ENV API_KEY …` of a Dockerfile, `storePassword "…"` on a line of its own. */
function isNamedByCommand(text: string, at: number, isCode: boolean): boolean {
  const before = text.slice(Math.max(0, at - 24), at);
  return (
    NAMING.test(` ${before}`) ||
    text.startsWith("--", at) ||
    (!isCode && /(?:^|[\n{;])[ \t]{0,20}$/.test(before))
  );
}

/** In code, a value without quotes is an expression, except in comments. */
function isExpression(text: string, at: number, path: string): boolean {
  if (!isWholeBare(text, at)) return true;
  return (
    CODE.test(path) &&
    !/(?:^|\n)[ \t]*(?:#|\/\/|\*|--|<!--)[ \t]*(?:[-*] )?$/.test(text.slice(Math.max(0, at - 40), at))
  );
}

/** A name without quotes is at the start of its line, of a string or of an argument. */
function isWholeBare(text: string, at: number): boolean {
  return /(?:^|[\n\r"'`\s;,{&?:<>=@*]|\\n|--|-e|-D)$/.test(text.slice(Math.max(0, at - 4), at));
}

function isInLongLine(text: string, at: number): boolean {
  const from = text.lastIndexOf("\n", at) + 1;
  const to = text.indexOf("\n", at);
  return (to < 0 ? text.length : to) - from > LONGEST_LINE;
}

function isRealValue(
  value: string,
  { name, isWeak }: { readonly name: string; readonly isWeak: boolean },
): boolean {
  if (/^0x[0-9a-f]{64}$/i.test(value))
    return /private|secret|mnemonic|wallet/i.test(name) && !isMadeUp(value);
  if (HEX_KEY.test(value)) return isNameOfHex(name, value) && !isMadeUp(value.replace(HEX_START, ""));
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
    return (UUID_VENDORS.test(name) || SETTING.test(name)) && !isMadeUp(value.replaceAll("-", ""));
  if (/^[0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8}$/.test(value)) return !isMadeUp(value);
  if (PASSWORD_NAME.test(name) && /^(?=.*\d)(?=.*[a-f])[0-9a-f]{12,15}$/.test(value)) return !isMadeUp(value);
  if (JOINED_HEX.test(value))
    return value.length >= 40 && (KEYS_NAME.test(name) || VENDORS_KEY.test(name)) && !isMadeUp(value);
  if (/["'`<>]/.test(value)) return !isWeak && !IN_CODE.test(value) && isStrongPassword(value);
  if (/(?:pass(?:w(?:or)?d|phrase)?|pwd)$/i.test(name) && isPassphrase(value)) return true;
  const said = decodedText(value);
  if (said !== null) return isStrongPassword(said.trim()) || isRealSecret(said.trim());
  if (isWeak) return looksRandom(value, { shortest: 20 }) && isRealSecret(value);
  return ((PASSWORD_NAME.test(name) || value.length >= 14) && isStrongPassword(value)) || isRealSecret(value);
}

/** A vendor's key is long; shorter values and fingerprints have many names. */
function isNameOfHex(name: string, value: string): boolean {
  if (WEAK_NAME.test(name) && !KEYS_NAME.test(name))
    return VENDORS_KEY.test(name) && value.length >= 32 && !FINGERPRINT.test(value);
  return KEYS_NAME.test(name);
}

/** A string that ends and goes on, or a tag. */
const IN_CODE = /["'`][+,);:\]}]|[+,(:=[{]["'`]|<\/|\/>|<[A-Za-z][^<]*>|^<|>$|[-=]>|<\?|%>/;

const SHORTEST_PASSWORD = 8;

/** Three kinds of characters, or two that change all the time; and no words. */
function isStrongPassword(value: string): boolean {
  if (value.length < SHORTEST_PASSWORD || value.length > 64) return false;
  if (isKnownShape(value) || !isRealPassword(value) || isEverybodysPassword(value)) return false;
  const isAnything = (kindsOf(value) >= 3 && changesOfKind(value) >= 0.62) || isChosenPassword(value);
  const { pairs, share } = shareOfCommonPairs(value);
  if ((share >= mostCommon(pairs) && !isAnything) || !/[a-z]/i.test(value)) return false;
  if (isChosenPassword(value)) return true;
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value);
  const changes = changesOfKind(value);
  if (!/\d/.test(value)) return isMixed && value.length >= 12 && share < 0.5 && changes >= 0.4;
  return changes >= (isMixed ? 0.3 : 0.4) && (isMixed || value.length >= 10);
}
