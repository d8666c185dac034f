/** Lists secrets that are an argument of a command, or of the call that makes a client. */

import { isHexKey } from "../credential.ts";
import { isFake } from "../fake-values.ts";
import { isRealPassword, isRealSecret } from "../judge-value.ts";
import { shareOfCommonPairs } from "../randomness.ts";
import { GATE, type SecretShape, textBefore } from "../shape.ts";
import { context, GATE_PASSWORD, isGenerated } from "../token.ts";
import { passwordOfCommand } from "./commands.ts";

const VALUE = `(?<secret>[^\\s"'\\\\]{6,200})`;
const KEY = `["']?(?<secret>[A-Za-z0-9_.-]{20,100})["']?(?=\\s|$|\\\\n)`;
/** Keys that browsers may have. */
const PUBLIC = /^pk[._-]|_pub(?:lishable)?_/i;
const STRING = `(?:"[^"\\n]{0,100}"|'[^'\\n]{0,100}'|[\\w.]{1,40})`;

/** How far before its argument a program's name may be. */
const MAX_COMMAND_LENGTH = 200;

export const CALLS: readonly SecretShape[] = [
  context(
    "key of a login",
    "login |authtoken |snyk auth |--auth |--auth=",
    `(?:login (?:--?[a-z-]{1,14}[ =])?(?:token=)?|authtoken |snyk auth |--auth[ =])${KEY}`,
    { readers: GATE, isReal: isRealKey },
  ),
  context(
    "value of a command",
    "config set ",
    `config set [^\\n]{0,60}?--secret [\\w:.-]{1,60} ["']?${VALUE}`,
    GATE_PASSWORD,
  ),
  passwordOfCommand("add_user |change_password ", `(?:add_user|change_password) [^\\s]{1,60} ["']?${VALUE}`, {
    isReal: (candidate, { text, at }) =>
      /rabbitmqctl/.test(textBefore(text, at, MAX_COMMAND_LENGTH)) && isRealPassword(candidate),
  }),
  passwordOfCommand("-auth ", `-auth ["']?[\\w.@-]{1,60}:${VALUE}`),
  passwordOfCommand("-u '|-u \"|-u |--user=", `(?:-u |--user=)["']?[\\w.\\\\@-]{1,60}%${VALUE}`, {
    isReal: (candidate, { text, at }) =>
      /smbclient|rpcclient|net ads/.test(textBefore(text, at, MAX_COMMAND_LENGTH)) &&
      isRealPassword(candidate),
  }),
  context(
    "password of an app of Apple",
    "password|-p ",
    `(?:password|-p)["'\\s:=]{1,6}(?<secret>[a-z]{4}(?:-[a-z]{4}){3})(?![A-Za-z0-9-])`,
    { readers: GATE, isReal: isRealAppPassword },
  ),
  context(
    "key that a client is made with",
    "client(|client.new(|twilio(|shodan(|owm(|environment(|sumologic(|oauthhandler(",
    `(?:client|client\\.new|twilio|shodan|owm|environment|sumologic|oauthhandler)\\(\\s{0,20}(?:${STRING}\\s{0,4},\\s{0,20}){0,2}["'](?<secret>[A-Za-z0-9+/=._~-]{24,300})["']\\s{0,20}[,)]`,
    {
      readers: GATE,
      isReal: (candidate) =>
        !PUBLIC.test(candidate) && isRealKey(candidate) && (isHexKey(candidate) || isGenerated(candidate)),
    },
  ),
];

function isRealKey(candidate: string): boolean {
  return isHexKey(candidate) ? /[a-f]/i.test(candidate) && !isFake(candidate) : isRealSecret(candidate);
}

/** Four times four letters, and no words. */
function isRealAppPassword(candidate: string): boolean {
  const { share } = shareOfCommonPairs(candidate);
  return share < 0.6 && !isFake(candidate) && new Set(candidate).size >= 8;
}
