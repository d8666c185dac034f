/** Lists secrets that are known by the commands and files of their programs. */

import { isHexKey, isRealCredential } from "../credential.ts";
import { isFake } from "../fake-values.ts";
import { isRealPassword, isRealSecret } from "../judge-value.ts";
import { isRandom } from "../randomness.ts";
import { type FoundShape, GATE, type SecretShape, textBefore } from "../shape.ts";
import { holdsSecretColumn, holdsSecretColumnOfMarkdown, isKubernetesSecret } from "../tables.ts";
import { context, GATE_PASSWORD, isGenerated, WHOLE } from "../token.ts";
import { passwordOfCommand } from "./commands.ts";

const VALUE = `(?<secret>[^\\s"'\\\\]{6,200})`;
/** The programs that take a password after `-p`, without and with a space. */
const TAKES_PASSWORD = /\b(?:mysql\w*|mariadb[\w-]*|7z\w?|rar)(?:\s[^\n|;&]{0,200})?$/;
const TAKES_ARGUMENT =
  /\b(?:(?:docker|podman|helm registry|oc|az|az acr|buildah|nerdctl)\s[^\n|;&]{0,40}\blogin\b|twine upload|zip|unzip)(?:\s[^\n|;&]{0,200})?$/;
const MAX_COMMAND_LENGTH = 240;
/** Words in the middle of tokens: after the name of a vendor, and before the random part. */
const IN_TOKENS =
  "live prod production test pat token tok tkn secret sec sk oat key pt api st rt at cs us app admin svc v1 v0".split(
    " ",
  );

/** Drawn from all characters of a keyboard. */
const isFullOfSigns = (candidate: string) => new Set(candidate.match(/[^A-Za-z0-9\s]/g)).size >= 8;

export const PROGRAMS: readonly SecretShape[] = [
  passwordOfCommand(" -p", ` -p(?<space> ?)["']?${VALUE}`, {
    isReal: (candidate, { text, at, match }) => {
      const before = textBefore(text, at, MAX_COMMAND_LENGTH);
      const programs = match.groups?.space === "" ? TAKES_PASSWORD : TAKES_ARGUMENT;
      return programs.test(before) && isRealPassword(candidate);
    },
  }),
  passwordOfCommand(
    "-storepass |-keypass |-srcstorepass |-deststorepass ",
    `-(?:src|dest)?(?:store|key)pass ["']?${VALUE}`,
  ),
  passwordOfCommand(
    "ssh-keygen |openssl enc ",
    `(?:ssh-keygen [^\\n]{0,200}?-N|openssl enc [^\\n]{0,200}?-k) ["']?${VALUE}`,
    WHOLE,
  ),
  passwordOfCommand(`send "`, `send "${VALUE}\\\\[rn]"`, {
    wordStart: true,
    isReal: (candidate, { text, at }) =>
      /assword/.test(textBefore(text, at, MAX_COMMAND_LENGTH)) && isRealPassword(candidate),
  }),
  passwordOfCommand("redis-cli", `redis-cli\\s[^\\n|;&]{0,200}?-a ["']?${VALUE}`, WHOLE),
  passwordOfCommand(
    "echo ",
    `echo (?:-n )?["']?(?:[a-z_][\\w-]{0,30}:)?${VALUE}["']? ?\\| ?(?:sudo )?(?:chpasswd|[^\\n|]{1,200}--password-stdin)`,
    WHOLE,
  ),
  passwordOfCommand("net use", `net use [^\\n]{1,120}?/user:[^\\s]{1,80} ["']?${VALUE}`, WHOLE),
  passwordOfCommand(
    "convertto-securestring",
    `convertto-securestring(?:\\s{1,4}-[a-z]{1,20}){0,4}\\s{1,4}(?<quote>["'])(?<secret>(?:(?!\\k<quote>)[^\\n]){6,200})\\k<quote>`,
    WHOLE,
  ),
  passwordOfCommand(
    "convertto-securestring",
    `(?<=["'](?<secret>[^"'\\n]{6,200})["']\\s{0,4}\\|\\s{0,4})convertto-securestring`,
    WHOLE,
  ),
  context("password of a server", "requirepass|masterauth", `(?:requirepass|masterauth) ["']?${VALUE}`, {
    ...GATE_PASSWORD,
    wordStart: true,
  }),
  context("key of a wireless network", "psk=|psk =|psk:|psk ", `psk ?[=:]? ?["']${VALUE}["']`, {
    ...GATE_PASSWORD,
    wordStart: true,
  }),
  context(
    "salt or key of WordPress",
    "auth_key|logged_in_key|nonce_key|auth_salt|logged_in_salt|nonce_salt|cache_key_salt",
    `(?:auth|logged_in|nonce|cache_key)_(?:key|salt)["']?\\s?[,=:]\\s{0,20}(?<quote>["'])(?<secret>(?:(?!\\k<quote>)[^\\n]){60,70})\\k<quote>`,
    {
      readers: GATE,
      isReal: (candidate) =>
        !/ phrase|\bput\b/i.test(candidate) && (isFullOfSigns(candidate) || !isFake(candidate)),
    },
  ),
  context(
    "personal access token",
    "pat=|pat =|pat:|pat\"|pat'|pat`|pat]",
    `pat["'\`\\])]{0,3}\\s{0,8}(?::=|=>|[:=,])\\s{0,8}["'\`]?(?<secret>[A-Za-z0-9_-]{20,120})(?![A-Za-z0-9_./(\\[-])`,
    {
      readers: GATE,
      isReal: (candidate, { text, at, match }) =>
        // The end of a longer word, such as `compat`, is not the name of a token.
        (/^P/.test(match[0]) || !/[a-z]/i.test(text.charAt(at - 1))) &&
        ((/^[a-z2-7]{52}$/.test(candidate) && !isFake(candidate)) ||
          isHexKey(candidate) ||
          isRealSecret(candidate)),
    },
  ),
  context(
    "Sentry token",
    "[auth]",
    `\\[auth\\]\\s{0,8}\\n(?:[^\\[\\n]{0,200}\\n){0,4}?token\\s?=\\s?(?<secret>[a-f0-9]{64})`,
  ),
  context(
    "key in the address of a service",
    ".alchemy.com/v2/|.infura.io/v3/|api.render.com/deploy/|api.vercel.com/v1/integrations/deploy/|api.netlify.com/build_hooks/",
    `(?:\\.alchemy\\.com/v2/|\\.infura\\.io/v3/|api\\.render\\.com/deploy/[a-z0-9-]{8,40}\\?key=|api\\.vercel\\.com/v1/integrations/deploy/[A-Za-z0-9_]{8,60}/|api\\.netlify\\.com/build_hooks/)(?<secret>[A-Za-z0-9_-]{10,64})`,
    { isReal: (candidate) => /\d/.test(candidate) && !isFake(candidate) },
  ),
  context("SonarQube login", "sonar.login", `sonar\\.login\\s?[=:]\\s?["']?(?<secret>[a-f0-9]{40})`),
  context(
    "GitHub token of Composer",
    `github-oauth"`,
    `github-oauth"\\s{0,8}:\\s{0,8}\\{\\s{0,40}"[^"]{1,100}"\\s{0,8}:\\s{0,8}"(?<secret>[A-Za-z0-9_]{40,200})"`,
  ),
  context(
    "session in a cookie",
    "cookie:|cookie\"|cookie'",
    `cookie["']?\\s?[:=,]\\s?["']?[^\\n"']{0,300}?(?:sess[a-z_]{0,10}|sid|auth[a-z_]{0,10}|token)=(?<secret>[A-Za-z0-9%._~+/-]{20,1000})`,
    { readers: GATE, isReal: isRealSecret },
  ),
  context(
    "password of Oracle",
    "jdbc:oracle:",
    `jdbc:oracle:[a-z0-9]{1,10}:[^\\s/:@"']{1,80}/(?<secret>[^\\s/@"']{4,200})@`,
    { isReal: isRealPassword },
  ),
  context(
    "key in a connection string",
    "secret=",
    `(?<=endpoint=https://[^\\s"';]{1,200};id=[^\\s"';]{1,100};)secret=(?<secret>[A-Za-z0-9+/]{20,500}={0,2})`,
  ),
  context(
    "value of a Kubernetes secret",
    "data:",
    `data:\\s{0,4}\\n(?<secret>(?:[ \\t]{1,20}["']?[\\w.-]{1,100}["']?:[ \\t]{1,4}(?:[>|][-+]?[ \\t]{0,4}\\r?\\n[ \\t]{1,20})?["']?[^\\s:"']{1,8000}["']?[ \\t]{0,4}(?:\\r?\\n|$)){1,40})`,
    { readers: GATE, isReal: isKubernetesSecret },
  ),
  context(
    "value of a Kubernetes secret",
    `data":|data" :`,
    `data"\\s?:\\s?\\{(?<secret>(?:\\s{0,40}"[\\w.-]{1,100}"\\s{0,4}:\\s{0,4}"[^\\s"]{1,8000}",?){1,40})`,
    { readers: GATE, isReal: isKubernetesSecret },
  ),
  context(
    "key that a client is made with",
    "client(|clientv2(",
    `client(?:v2)?\\(\\s{0,20}(?:api_?key\\s{0,2}[:=]\\s{0,2})?["'\`](?<secret>[A-Za-z0-9+/=._~-]{32,300})["'\`]\\s{0,20}[,)]`,
    { readers: GATE, isReal: (candidate) => isRandom(candidate) && isRealSecret(candidate) },
  ),
  context(
    "token of an unknown service",
    `${IN_TOKENS.map((word) => `_${word}_`).join("|")}|-live-|-prod-|-pat-|-st-|-sk-|-api-|-test-`,
    `(?<=(?<![A-Za-z0-9_-])(?!pk|pub|cs[_-])[a-z][a-z0-9]{0,11})[_-](?:${IN_TOKENS.join("|")})[_-](?<secret>[A-Za-z0-9_-]{20,200})(?![A-Za-z0-9_-])`,
    { readers: GATE, isReal: isOfUnknownService },
  ),
  context(
    "password of a mail server",
    "]:587 |]:465 |]:25 ",
    `\\]:[0-9]{2,3} {1,20}[^\\s:]{1,100}:(?<secret>[^\\s]{6,200})`,
    GATE_PASSWORD,
  ),
  context(
    "password of a user of SNMP",
    "createuser ",
    `createuser \\S{1,60} (?:sha|md5)\\S{0,4} "?(?<secret>[^\\s"]{8,100})`,
    GATE_PASSWORD,
  ),
  context(
    "value of a command",
    "secret set ",
    `secret set [^\\n]{1,100}(?:--body|-b|--value)[ =]["']?(?<secret>[^\\s"']{16,500})`,
    { readers: GATE, isReal: isRealCredential },
  ),
  context(
    "random password of a state of Terraform",
    `"result":`,
    `"result":\\s{0,4}"(?<secret>[^\\s"\\\\]{8,200})"`,
    {
      readers: GATE,
      isReal: (candidate, { text, at }) =>
        /"random_password"/.test(textBefore(text, at, 2_000)) && isRealPassword(candidate),
    },
  ),
  context(
    "column of secrets",
    "password|secret|api_key|token",
    `(?:password|secret|api_key|token)(?=[,;\\t"\\r\\n])[\\w ,;|\\t"-]{0,300}\\r?\\n(?<secret>[^\\n]{8,2000})`,
    { readers: GATE, isReal: holdsSecretColumn },
  ),
  context(
    "column of secrets",
    "password|secret|api_key|api key|token",
    `(?:password|secret|api[_ ]key|token) {0,20}\\|(?<secret>[^\\n]{0,200}\\r?\\n[|: -]{3,200}\\r?\\n[^\\n]{8,1000})`,
    { readers: GATE, isReal: holdsSecretColumnOfMarkdown },
  ),
];

/** Marks of a live key; hexadecimal text after them is a key too. */
const SAYS_LIVE = /^[-_](?:live|prod|production|pat|tok|tkn|secret|sec|sk|oat|pt|admin)[-_]/i;

function isOfUnknownService(candidate: string, { match }: FoundShape): boolean {
  if (isHexKey(candidate) && /[a-f]/i.test(candidate)) return SAYS_LIVE.test(match[0]) && !isFake(candidate);
  if (/^[A-Za-z0-9]{24,}$/.test(candidate)) return isGenerated(candidate);
  return isRandom(candidate) && !isFake(candidate);
}
