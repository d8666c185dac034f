/** Lists passwords after the options of commands, in SQL statements, and in messages between people. */

import { isHexKey } from "../credential.ts";
import { isRealPassword, isRealSecret, mixesAllKinds } from "../judge-value.ts";
import { isRandom } from "../randomness.ts";
import { type FoundShape, GATE, type SecretShape, type ShapeOptions, textBefore } from "../shape.ts";
import { context, GATE_PASSWORD, WHOLE } from "../token.ts";

/** Words may be here as well. */
const IF_RANDOM = { readers: GATE, isReal: isClearlySecret } as const satisfies ShapeOptions;

const VALUE = `["']?(?<secret>[^\\s"'\\\\]{6,200})`;
const MAX_COMMAND_LENGTH = 240;

/** A password that a program gets on its command line. */
export function passwordOfCommand(starts: string, pattern: string, options: ShapeOptions = {}): SecretShape {
  return context("password of a command", starts, pattern, { ...GATE_PASSWORD, ...options });
}

/** An option, the programs that take a password after it, and the text in between. */
function option(starts: string, pattern: string, programs: RegExp): SecretShape {
  return passwordOfCommand(starts, pattern + VALUE, {
    isReal: (candidate, { text, at }) =>
      programs.test(textBefore(text, at, MAX_COMMAND_LENGTH)) && isRealPassword(candidate),
  });
}

const upTo = (programs: string) => new RegExp(`\\b(?:${programs})(?:\\s[^\\n|;&]{0,200})?$`);

export const COMMANDS: readonly SecretShape[] = [
  option(" -P ", " -P ", upTo("sqlcmd|bcp|isql|tsql|osql")),
  option(" -w ", " -w ", upTo("ldap[a-z]{3,10}")),
  option(" -p ", " -p ", upTo("mongo(?:sh|dump|restore|export|import)?|mosquitto_[a-z]{3}|wget|svn")),
  option(" -u", ` -u["']?[\\w.@-]{1,60}:`, upTo("curl")),
  option(" -a ", ` -a ["']?[\\w.@-]{1,60}:`, upTo("https?")),
  option(" -U ", ` -U ["']?[\\w.\\\\@-]{1,60}%`, upTo("smb[a-z]{3,10}|rpcclient|net")),
  option(" -u ", ` -u ["']?[\\w.@-]{1,60},`, upTo("lftp")),
  option(" /p:", " /p:", upTo("[xw]?freerdp|mstsc")),
  option("--requirepass", `--requirepass["']?[ ,=]{1,3}`, /redis/),
  passwordOfCommand("net user", `net user [\\w.-]{1,60} ${VALUE}`, WHOLE),
  passwordOfCommand(
    "sqlplus ",
    `sqlplus (?:-\\w{1,8} ){0,3}[\\w.-]{1,60}/(?<secret>[^\\s@"'\\\\]{6,100})@`,
    WHOLE,
  ),
  passwordOfCommand(
    "--password-stdin|--with-token",
    `--(?:password-stdin|with-token)[^\\n|;&<]{0,100}<<< ?${VALUE}`,
  ),
  passwordOfCommand(
    "echo |printf ",
    `(?:echo|printf) (?:-n )?${VALUE}["']? ?\\| ?(?:sudo -S|passwd --stdin|sudo passwd --stdin|cryptsetup|gpg [^\\n|]{1,80}--passphrase-fd)`,
    WHOLE,
  ),
  context("value of a command", "--from-literal", `--from-literal[ =]["']?[\\w.-]{1,60}=${VALUE}`, IF_RANDOM),
  context("token of a command", "_authtoken ", `_authtoken ${VALUE}`, IF_RANDOM),
  context(
    "password in SQL",
    "identified by|password =|password=",
    `(?:identified by|password ?=) ?n?["'](?<secret>[^"'\\s]{6,200})["']`,
    IF_RANDOM,
  ),
  context(
    "password in an address of MySQL",
    "@tcp(",
    `(?<=[\\w.-]{1,60}:(?<secret>[^\\s"'\`@]{6,100}))@tcp\\(`,
    GATE_PASSWORD,
  ),
  context(
    "password of a client",
    "npmauthident",
    `npmauthident["']?\\s?[:=]\\s?["']?(?:[\\w.-]{1,60}:)?${VALUE}`,
    IF_RANDOM,
  ),
  context("key of a wireless network", "psk=|psk ", `psk(?:=| {1,4}(?="))"?(?<secret>[^\\s"]{8,63})`, {
    ...IF_RANDOM,
    wordStart: true,
  }),
  context(
    "password of a server",
    "insecure-password|radius-server key|password 0 |secret 0 ",
    `(?:insecure-password|radius-server key|(?:password|secret) 0) ${VALUE}`,
    GATE_PASSWORD,
  ),
  context(
    "password of a server",
    "user ",
    `user [\\w.-]{1,40} (?:on |off |[~+&%-]\\S{1,40} ){0,6}>(?<secret>[^\\s"']{8,200})`,
    { ...IF_RANDOM, wordStart: true },
  ),
  context(
    "password in a message",
    "pw: |pw = |pw is |creds: |creds are |credentials: |login: |login is ",
    `(?:pw|creds|credentials|login)(?: is| are|:| =)\\s{1,4}(?:[\\w.@-]{1,40}(?::| / |/))?[\`"']?(?<secret>[^\\s"'\`]{8,64})`,
    { ...IF_RANDOM, wordStart: true },
  ),
  context(
    "password in a message",
    "password |passphrase |passwd |api key |token ",
    `(?:password|passphrase|passwd|api key|token)(?: is)? [\`"']?(?<secret>[^\\s"'\`()<>=,;{}]{12,64})(?=[\\s\`"',;]|$)`,
    { ...IF_RANDOM, wordStart: true },
  ),
];

function isClearlySecret(candidate: string, _: FoundShape): boolean {
  const value = candidate.replace(/[.,;:!?)]$/, "");
  if (isHexKey(value)) return isRealPassword(value);
  return (
    (isRandom(value) || mixesAllKinds(value)) &&
    isRealPassword(value) &&
    (value.length < 16 || isRealSecret(value))
  );
}
