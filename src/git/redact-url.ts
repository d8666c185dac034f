/** Takes credentials out of URLs, wherever they stand in a text. */

/**
 * The text without the user information of any URL in it: `https://user:token@host/x` becomes `https://host/x`. An ssh
 * user (`git@host:x`, `ssh://git@host/x`) carries no secret and stays, a password beside it does not.
 */
export function redactUrl(text: string): string {
  return text
    .replace(/\b(ssh|git\+ssh|ssh\+git):\/\/([^\s/@:]+):[^\s/]*@/gi, "$1://$2@")
    .replace(/\b((?!(?:ssh|git\+ssh|ssh\+git):)[a-z][a-z0-9+.-]*(?:::[a-z]+)?):\/\/[^\s/'"<>]*@/gi, "$1://")
    .replace(/([?&](?:access_token|private_token|token|password|key|auth)=)[^\s&'"#]+/gi, "$1***");
}

/** Whether the URL itself carries a password or a token. */
export function carriesCredentials(url: string): boolean {
  return redactUrl(url) !== url;
}
