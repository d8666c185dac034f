/** Lists secrets that are known by a phrase of one program's files: settings, cookies, keys beside their address. */

import { isFake } from "../fake-values.ts";
import { isRealPassword, isRealSecret } from "../judge-value.ts";
import { GATE, HEX, type SecretShape, UUID } from "../shape.ts";
import { context, GATE_PASSWORD } from "../token.ts";

/** Closing quotes, a sign or a line of a notebook, and opening quotes. */
const TO_VALUE = `["'\\\\\\])]{0,4}\\s{0,4}(?:[:=,]|=>)(?:\\s|\\\\n|["',]){0,40}["'\\\\]{0,3}`;
const isDrawnValue = (candidate: string) => !isFake(candidate.replaceAll("-", ""));

export const INSTALLATIONS: readonly SecretShape[] = [
  context(
    "minisign secret key",
    "minisign",
    `minisign (?:encrypted )?secret key(?:\\r?\\n|\\\\n)(?<secret>RW[A-Za-z0-9+/]{100,300}={0,2})`,
    { isReal: isDrawnValue },
  ),
  context(
    "Consul token",
    'initial_management|agent_recovery|"agent"|\'agent\'|agent =|"replication"|replication =',
    `(?:initial_management|agent_recovery|agent|replication)${TO_VALUE}(?<secret>${UUID})`,
    { readers: GATE, isReal: isDrawnValue },
  ),
  context(
    "Erlang cookie",
    "erlang_cookie|erlang.cookie",
    `erlang[_.]cookie${TO_VALUE}(?<secret>[A-Z0-9]{20,64})`,
    { readers: GATE, isReal: isDrawnValue },
  ),
  context(
    "Azure storage key",
    "fs.azure.account.key",
    `fs\\.azure\\.account\\.key\\.[\\w.-]{3,80}${TO_VALUE}(?<secret>[A-Za-z0-9+/]{86}==)`,
    { isReal: isDrawnValue },
  ),
  context(
    "Azure Functions key",
    "azurewebsites.net/",
    `azurewebsites\\.net/[^\\s?"'\`]{1,120}\\?(?:[\\w-]{1,40}=[^\\s&"'\`]{0,80}&){0,4}code=(?<secret>[A-Za-z0-9_/+%-]{40,70}={0,2})`,
    { isReal: isDrawnValue },
  ),
  context(
    "password in SQL",
    "with password",
    `with password\\s?=\\s?n?'(?<secret>[^'\\s]{6,128})'`,
    GATE_PASSWORD,
  ),
  context(
    "app password of a mailbox",
    "gmail.com|app_password|app password|smtp_pass|mail_pass|email_pass|email_host_pass",
    `(?:gmail\\.com["'],\\s{0,20}|(?:app[_ ]|smtp_|mail_|email_(?:host_)?)pass(?:word|wd)?${TO_VALUE})["']?(?<secret>[a-z]{4}(?: [a-z]{4}){3})(?![a-z ])`,
    { readers: GATE, isReal: (candidate) => !/test|pass|word|your|abcd|xxxx/.test(candidate) },
  ),
  context(
    "session cookie",
    "_gitlab_session|sessionid|phpsessid|jsessionid|connect.sid|laravel_session",
    `(?:_gitlab_session|sessionid|phpsessid|jsessionid|connect\\.sid|laravel_session)["'\\\\]{0,3}\\s?[:=,]\\s?["'\\\\]{0,3}(?<secret>${HEX}{32,64}|[A-Za-z0-9%._-]{24,400})(?![\\w(])`,
    {
      readers: GATE,
      isReal: (candidate) =>
        /^[0-9a-f]+$/.test(candidate) ? isDrawnValue(candidate) : isRealSecret(candidate),
    },
  ),
  context(
    "SNMP password",
    "createuser ",
    `createuser\\s{1,8}\\S{1,64}\\s{1,8}(?:md5|sha\\S{0,4})\\s{1,8}["']?(?<secret>[^"'\\s]{8,64})`,
    { ...GATE_PASSWORD, wordStart: true },
  ),
  context(
    "password in a sentence",
    "password `|passphrase `|password: `|pw `",
    "(?:password|passphrase|pw):? `(?<secret>[^`\\s]{8,64})`",
    {
      wordStart: true,
      readers: GATE,
      isReal: (candidate) => isRealPassword(candidate) && /\d/.test(candidate),
    },
  ),
  context(
    "key of a vendor",
    "sendbird|kucoin|heroku|snyk|datadog|cloudflare|pagerduty|okta|twilio|mailgun|sendgrid|bitfinex|fastly|coinbase|binance",
    `(?:sendbird|kucoin|heroku|snyk|datadog|cloudflare|pagerduty|okta|twilio|mailgun|sendgrid|bitfinex|fastly|coinbase|binance)[ _-](?:api[ _-]?|access[ _-]?|auth[ _-]?)?(?:token|key|secret)\\s?[:=]\\s?["'\`]?(?<secret>${HEX}{32,64}|${UUID})(?![\\w-])`,
    { readers: GATE, isReal: isDrawnValue },
  ),
];
