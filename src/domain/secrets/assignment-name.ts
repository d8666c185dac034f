/** Tells names of secrets from names that only sound like one. */

/** What a name of a secret contains, as a pattern. */
export const NAMES =
  "secret|token|pass|pwd|credential|creds|key|_pw|bindpw|(?<=[A-Za-z0-9])_(?:pat|auth)(?![A-Za-z0-9])";

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

/** Whether a value of this name is public, or no secret at all. */
export function isHarmlessName(name: string): boolean {
  if (HARMLESS_NAME.test(name) || HARMLESS_LAST.has(lastWord(name))) return true;
  if (HARMLESS_UNLESS_SECRET.test(name) && !CALLED_SECRET.test(name)) return true;
  if (!NAMED.test(name.replace(SOUNDS_SO, ""))) return true;
  return HARMLESS_KEY.test(name) && !SECRETS_NAME.test(name);
}

/** The last word of `api_key_name` or `apiKeyName`. */
function lastWord(name: string): string {
  return (/[A-Z]?[a-z]+$|[A-Z]+$|\d+$/.exec(name)?.[0] ?? "").toLowerCase();
}
