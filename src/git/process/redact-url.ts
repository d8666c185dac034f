/** Removes credentials from URLs anywhere in a text. */
import { tryOr } from "../../utils/values/try-or.ts";

/** A quote inside a password belongs to it; a quote right after `host` or `host:port` ends the address. */
const WITH_USER =
  /(?<![a-z+.-])((?!(?:ssh|git\+ssh|ssh\+git):)[a-z][a-z0-9+.-]{0,30}(?:::[a-z]{1,30})?):\/\/(?:[^\s/'"<>]{0,9000}|[^\s/'"<>@:[\]]{1,200}:(?!\d{1,5}['"<>])[^\s/]{1,9000})@/gi;

/**
 * The text without the user information of any URL: `https://user:token@host/x` becomes `https://host/x`. An ssh user
 * (`git@host:x`, `ssh://git@host/x`) is not secret and stays; a password beside it is removed.
 */
export function redactUrl(text: string): string {
  // Every repetition is bounded: a remote may send any text, and a long one.
  return text
    .replace(/(?<![a-z+.-])(ssh|git\+ssh|ssh\+git):\/\/([^\s/@:]{1,200}):[^\s/]{0,9000}@/gi, "$1://$2@")
    .replace(WITH_USER, "$1://")
    .replace(/([?&](?:access_token|private_token|token|password|key|auth)=)[^\s&'"#]+/gi, "$1***");
}

/** The secrets in an address: its password, or all before the host if that may be a token. */
export function credentialsIn(url: string): readonly string[] {
  const [, user = "", password = ""] = /^[a-z][a-z0-9+.:-]*:\/\/([^/:@]*):?([^/]*)@/i.exec(url) ?? [];
  return [user.length < MIN_TOKEN_LENGTH ? "" : user, password]
    .filter((text) => text !== "")
    .flatMap(spelled);
}

const MIN_TOKEN_LENGTH = 16;

/** Both as the address encodes it and decoded. */
function spelled(text: string): readonly string[] {
  return [...new Set([text, tryOr(() => decodeURIComponent(text), text)])];
}

/** Whether the URL itself carries a password or a token. */
export function carriesCredentials(url: string): boolean {
  return redactUrl(url) !== url;
}
