/** Finds values of unknown shape by their names: passwords, secrets, tokens and keys. */
import { isHarmlessName, NAMES } from "../assignment-name.ts";
import { isRealValue, isWeakName, VENDORS_KEY } from "../assignment-value.ts";
import { isSealedSecret } from "../sealed-secret.ts";
import { type FoundShape, type SecretShape, textBefore } from "../shape.ts";
import { context } from "../token.ts";

const STARTS = "secret|token|pass|pwd|credential|creds|key|_pw|bindpw|_pat|_auth";
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

/** Generated files, full of hashes. */
const GENERATED =
  /(?:^|\/)(?:[^/]*lock\.(?:json|yaml)|npm-shrinkwrap\.json|[^/]*\.lock|lock\.\w+|go\.sum|[^/]*\.map|[^/]*\.snap|[^/]*\.lockfile|packages\.lock\.json|verification-metadata\.xml)$/i;
const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|java|kts?|scala|rs|rb|php|c|h|cc|cpp|hpp|cs|swift|mm?|dart|lua|exs?|erl|hs|mli?|fs|vb|pl|pm|r|jl|groovy|gradle|vue|svelte|zig|nim|css|s[ac]ss|less|tf|hcl|ps1|html?|sol|proto|graphql)$/i;
const MAX_LINE_LENGTH = 1000;

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
  if (LIST.test(between) && value.length < MIN_LISTED_LENGTH) return false;
  if (ENCRYPTED_CALL.test(between) || DESCRIBING_CALL.test(between)) return false;
  // Text between tags is not code.
  const isCell = between.startsWith("</");
  if (bare !== undefined && !isCell && isExpression(text, at - front.length, path)) return false;
  const isWeak = isWeakName(name);
  if (isWeak && ((bare !== undefined && !VENDORS_KEY.test(name)) || isInLongLine(text, at))) return false;
  return isRealValue(value, { name, isWeak }) && !isSealedSecret(text, at);
}

/** `keyIcon: "keyIcon_9tgDN"`, as style sheets name their classes. */
function isNamedAfter(value: string, name: string): boolean {
  return value.startsWith(`${name}_`) && value.length <= name.length + MAX_SUFFIX_LENGTH;
}

const MAX_SUFFIX_LENGTH = 12;

const LIST = /(?:\[\s*|\n[ \t]*-[ \t]+)$/;
const MIN_LISTED_LENGTH = 20;

/** The form of a value that Jasypt has encrypted. */
const ENCRYPTED_CALL = /ENC\($/;
/** Generated descriptions of messages, pictures and fonts. */
const DESCRIBING_CALL = /(?:desc|descriptor|schema|svg|image|icon|font)\w*\($/i;

const MAX_NAME_LENGTH = 60;

function nameBefore(text: string, at: number): string {
  return /[A-Za-z0-9_.-]*$/.exec(textBefore(text, at, MAX_NAME_LENGTH))?.[0] ?? "";
}

const NAMING =
  /(?:^|\s)(?:--|ENV |ARG |#\s?define |setx |setenv |set -g?x |SetEnv |proxy_set_header |set \$)$|[\s{(]:$/;

/** `--password …`, `ENV API_KEY …` of a Dockerfile, `storePassword "…"` on a line of its own. */
function isNamedByCommand(text: string, at: number, isCode: boolean): boolean {
  const before = textBefore(text, at, 24);
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
    CODE.test(path) && !/(?:^|\n)[ \t]*(?:#|\/\/|\*|--|<!--)[ \t]*(?:[-*] )?$/.test(textBefore(text, at, 40))
  );
}

/** A name without quotes is at the start of its line, of a string or of an argument. */
function isWholeBare(text: string, at: number): boolean {
  return /(?:^|[\n\r"'`\s;,{&?:<>=@*]|\\n|--|-e|-D)$/.test(textBefore(text, at, 4));
}

function isInLongLine(text: string, at: number): boolean {
  const from = text.lastIndexOf("\n", at) + 1;
  const to = text.indexOf("\n", at);
  return (to < 0 ? text.length : to) - from > MAX_LINE_LENGTH;
}
