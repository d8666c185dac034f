/** Finds the secret of a file that holds nothing else, and whose name tells its purpose. */

import { isFake } from "../fake-values.ts";
import { isRealSecret } from "../judge-value.ts";
import type { FoundSecret } from "./compile.ts";

const NAME =
  /(?:^|\/)(?:[^/]{1,60}\.key|[^/]{0,60}(?:secret|token|passw|vault[._-]?pass|api[._-]?key|master[._-]?key)[^/]{0,20})$/i;
/** Public halves, hashes, and encrypted files. */
const HARMLESS_NAME =
  /pub|cert|hash|sum|sha\d|digest|fingerprint|enc(?:rypted)?$|encrypted|sealed|sops|\.(?:gpg|asc|age|sig)$/i;
const MAX_LENGTH = 1_000;
const ONE_VALUE = /^\s*([A-Za-z0-9+/=_.~-]{16,600})\s*$/;
const HEX_KEY = /^[0-9a-f]{32,128}$/i;

const DIGESTS = /(?:^|\/)[^/]{0,40}htdigest[^/]{0,20}$/i;
/** The hash of name, realm and password: it is enough to log in without them. */
const DIGEST = /^[^:\s]{1,100}:[^:\n]{1,200}:(?<own>[0-9a-f]{32})\s*$/dim;

/** Such as `config/master.key` of Rails, and `.vault_pass`. */
export function secretOfKeyFile(text: string, path: string): readonly FoundSecret[] {
  if (DIGESTS.test(path)) return digestOf(text);
  if (text.length > MAX_LENGTH || !NAME.test(path) || HARMLESS_NAME.test(path)) return [];
  const value = ONE_VALUE.exec(text)?.[1] ?? "";
  const isReal = HEX_KEY.test(value) ? !isFake(value) : value !== "" && isRealSecret(value);
  if (!isReal) return [];
  const start = text.indexOf(value);
  return [{ name: "file that is a key", hasPrefix: false, start, end: start + value.length }];
}

function digestOf(text: string): readonly FoundSecret[] {
  const own = DIGEST.exec(text);
  const [start, end] = own?.indices?.groups?.own ?? [0, 0];
  if (end === 0 || isFake(text.slice(start, end))) return [];
  return [{ name: "digest of a password", hasPrefix: false, start, end }];
}
