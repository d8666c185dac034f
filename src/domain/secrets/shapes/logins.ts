/** Lists passwords that a command, a call or a statement logs in with. */
import { isHexKey } from "../credential.ts";
import { isKnownShape, isRealPassword } from "../judge-value.ts";
import { isRandom, numberOfKinds } from "../randomness.ts";
import { GATE, type SecretShape, textBefore } from "../shape.ts";
import { context, GATE_PASSWORD } from "../token.ts";
import { passwordOfCommand } from "./commands.ts";

export const LOGINS: readonly SecretShape[] = [
  passwordOfCommand(
    `-u |-u=|--user |--user=|-u'|-u"`,
    `(?:-u|--user)[\\s=]{0,3}["']?[^\\s:"'\\\\]{0,80}:(?<secret>[^\\s"'\\\\]{6,200})`,
    {
      wordStart: true,
      isReal: (candidate, { text, at }) =>
        /curl|wget|http/i.test(textBefore(text, at, 300)) && isRealPassword(candidate),
    },
  ),
  passwordOfCommand("sshpass -p", `sshpass -p ?["']?(?<secret>[^\\s"'\\\\]{6,200})`),
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
    GATE_PASSWORD,
  ),
];

/** Whether one of these strings looks random. */
function holdsPassword(strings: string): boolean {
  return [...strings.matchAll(/["']([^\s"']{8,100})["']/g)].some(
    ([, one = ""]) =>
      isRealPassword(one) &&
      (isHexKey(one) || (!isKnownShape(one) && (isRandom(one) || numberOfKinds(one) === 4))),
  );
}
