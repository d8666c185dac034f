/** Reads out of git's settings where a push to a name or an address would go, for those that are no remotes of the repository's own file. */

/** What `git config --get-regexp` is asked for. */
export const REMOTE_SETTINGS =
  "^(remote\\..*\\.(push)?url|remote\\.pushdefault|branch\\..*\\.(push)?remote|url\\..*\\.(push)?insteadof)$";

/** In git's order. */
export type RemoteSettings = readonly (readonly [key: string, value: string])[];

/** `text` is what git printed with `--null`; null where there is no such setting. */
export function settingsIn(text: string | null): RemoteSettings {
  const fields = (text ?? "").split("\0").filter((field) => field.includes("\n"));
  return fields.map((field) => {
    const end = field.indexOf("\n");
    return [field.slice(0, end), field.slice(end + 1)];
  });
}

/** Names and addresses that a push goes to which names none. */
export function defaultRemotes(settings: RemoteSettings): readonly string[] {
  return settings.flatMap(([key, value]) => (/^remote\.pushdefault$|remote$/.test(key) ? [value] : []));
}

/** All addresses that a push to `name` goes to; the name itself where it is one. */
export function pushAddresses(name: string, settings: RemoteSettings): readonly string[] {
  const those = (variable: string) =>
    settings.flatMap(([key, value]) => (key === `remote.${name}.${variable}` ? [value] : []));
  const rewrite = (address: string, variable: string) => rewritten(address, variable, settings);
  const forPushes = those("pushurl");
  if (forPushes.length > 0) return forPushes.map((url) => rewrite(url, "insteadof") ?? url);
  const urls = those("url");
  return (urls.length > 0 ? urls : [name]).map(
    (url) => rewrite(url, "pushinsteadof") ?? rewrite(url, "insteadof") ?? url,
  );
}

/** By the longest beginning that is named; null where none is. */
function rewritten(address: string, variable: string, settings: RemoteSettings): string | null {
  const [longest] = settings
    .filter(
      ([key, value]) => key.startsWith("url.") && key.endsWith(`.${variable}`) && address.startsWith(value),
    )
    .sort(([, a], [, b]) => b.length - a.length);
  if (longest === undefined) return null;
  const [key, beginning] = longest;
  return key.slice("url.".length, -variable.length - 1) + address.slice(beginning.length);
}
