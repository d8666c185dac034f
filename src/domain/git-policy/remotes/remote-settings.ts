/** Reads from git's settings which remotes there are, and their addresses. */

/** The questions to git: its settings, and the branch that is checked out. */
export const SETTINGS_QUESTION = [
  ...["config", "--null", "--get-regexp"],
  "^(remote\\..*\\.((push)?url|promisor|partialclonefilter)|remote\\.pushdefault|remotes\\..*|branch\\..*\\.(push)?remote|url\\..*\\.(push)?insteadof|extensions\\.partialclone|fetch\\.all)$",
];
/** The full name is asked, because a tag of the same name makes the short form longer. */
export const BRANCH_QUESTION = ["symbolic-ref", "--quiet", "HEAD"];
/** The value of `GIT_DIR` to ask git for the user's settings alone. */
export const NO_REPOSITORY = "/dev/null/none";

/** In git's order. Section and last word of a key are in lower case. */
export type RemoteSettings = readonly (readonly [key: string, value: string])[];

/** Whether a call takes from the other side, or gives to it. */
export type Direction = "fetch" | "push";

/** `text` is git's output with `--null`; null if there is no such setting. */
export function settingsIn(text: string | null): RemoteSettings {
  const fields = (text ?? "").split("\0").filter((field) => field !== "");
  return fields.map((field) => {
    const end = field.indexOf("\n");
    // A key that stands alone means true.
    return end === -1 ? [field, "true"] : [field.slice(0, end), field.slice(end + 1)];
  });
}

/** Null if HEAD is not a branch. */
export function branchIn(text: string): string | null {
  return /^refs\/heads\/(.+?)\n?$/s.exec(text)?.[1] ?? null;
}

/** Names of the remotes that have an address. Git ignores a name that begins like a path. */
export function remoteNames(settings: RemoteSettings): readonly string[] {
  const names = settings.flatMap(([key]) => /^remote\.([^/].*)\.(?:push)?url$/s.exec(key)?.[1] ?? []);
  return [...new Set(names)];
}

/** Names of groups, each with its remotes. */
export function remoteGroups(settings: RemoteSettings): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const [key, value] of settings) {
    const name = /^remotes\.(.+)$/s.exec(key)?.[1];
    if (name === undefined) continue;
    groups.set(name, [...(groups.get(name) ?? []), ...value.split(/\s+/).filter((word) => word !== "")]);
  }
  return groups;
}

/** Remotes from which git may fetch missing objects during any call. */
export function promisorRemotes(settings: RemoteSettings): readonly string[] {
  return settings.flatMap(([key, value]) => {
    if (key === "extensions.partialclone") return [value];
    return /^remote\.(.+)\.(?:promisor|partialclonefilter)$/s.exec(key)?.[1] ?? [];
  });
}

/** Whether a fetch without a named remote fetches from all remotes, as newer versions of git do. */
export function fetchesFromAll(settings: RemoteSettings): boolean {
  return settings.some(([key, value]) => key === "fetch.all" && !/^(?:false|no|off|0*)$/i.test(value));
}

/** The remotes of a call that names none. `branch` is the checked-out branch; null for a detached HEAD. */
export function defaultRemotes(
  settings: RemoteSettings,
  { branch, direction }: { readonly branch: string | null; readonly direction: Direction },
): readonly string[] {
  const last = (wanted: string) => settings.findLast(([key]) => key === wanted)?.[1] ?? null;
  const ofBranch = (key: string) => (branch === null ? null : last(`branch.${branch}.${key}`));
  const forPush = direction === "push" ? (ofBranch("pushremote") ?? last("remote.pushdefault")) : null;
  const named = forPush ?? ofBranch("remote");
  if (named !== null) return [named];
  const [only, ...others] = remoteNames(settings);
  return [only !== undefined && others.length === 0 ? only : "origin"];
}

/** Every remote that some setting makes the default. */
export function everyDefaultRemote(settings: RemoteSettings): readonly string[] {
  return settings.flatMap(([key, value]) =>
    /^remote\.pushdefault$|^branch\..*\.(push)?remote$/s.test(key) ? [value] : [],
  );
}

/** All addresses of a remote as git takes them; the name itself if there is no such remote. */
export function addressesOf(name: string, direction: Direction, settings: RemoteSettings): readonly string[] {
  const those = (variable: string) =>
    name.startsWith("/")
      ? []
      : settings.flatMap(([key, value]) => (key === `remote.${name}.${variable}` ? [value] : []));
  const forPushes = direction === "push" ? those("pushurl") : [];
  if (forPushes.length > 0) return forPushes.map((url) => rewritten(url, "insteadof", settings) ?? url);
  const urls = those("url");
  return (urls.length > 0 ? urls : [name]).map((url) => addressOf(url, direction, settings));
}

/** An address after `url.BASE.insteadOf` and `url.BASE.pushInsteadOf`. */
export function addressOf(url: string, direction: Direction, settings: RemoteSettings): string {
  const forPush = direction === "push" ? rewritten(url, "pushinsteadof", settings) : null;
  return forPush ?? rewritten(url, "insteadof", settings) ?? url;
}

/** By the longest matching beginning. Of equal ones, the base that git met first. Null if none matches. */
function rewritten(address: string, variable: string, settings: RemoteSettings): string | null {
  const bases = new Map<string, string[]>();
  for (const [key, value] of settings) {
    if (!key.startsWith("url.") || !key.endsWith(`.${variable}`)) continue;
    const base = key.slice("url.".length, -variable.length - 1);
    bases.set(base, [...(bases.get(base) ?? []), value]);
  }
  const [longest] = [...bases]
    .flatMap(([base, beginnings]) => beginnings.map((beginning) => ({ base, beginning })))
    .filter(({ beginning }) => address.startsWith(beginning))
    .sort((a, b) => b.beginning.length - a.beginning.length);
  return longest === undefined ? null : longest.base + address.slice(longest.beginning.length);
}
