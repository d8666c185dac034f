/** Looks at the repositories inside the workspace that a push could reach: what takes the push runs their hooks, on this machine. */
import { existsSync, readdirSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { realOrNull } from "./find-repository.ts";
import { type ConfigEntry, nameOf } from "./parse-config.ts";
import type { RepositoryFlaw } from "./place-flaw.ts";
import { type ConfigSearch, readConfig } from "./read-config.ts";

export interface PushSearch extends ConfigSearch {
  readonly workspaceRoot: string;
  /** What a relative address is relative to. */
  readonly cwd: string;
}

/** Repositories outside of the workspace are the user's own, and so are their hooks. */
export function pushFlaw(
  { args, entries }: { readonly args: readonly string[]; readonly entries: readonly ConfigEntry[] },
  search: PushSearch,
): RepositoryFlaw | null {
  for (const address of rewritten([...args, ...addressesOf(entries)], entries)) {
    const path = address.replace(/^file:\/\/(localhost(?=\/))?/, "");
    const real = realOrNull(isAbsolute(path) ? path : join(search.cwd, path));
    if (real === null || !`${real}${sep}`.startsWith(search.workspaceRoot + sep)) continue;
    const flaw = [join(real, ".git"), real, `${real}.git`]
      .map((at) => hookOf(at, search))
      .find((at) => at !== null);
    if (flaw === undefined) continue;
    return { at: flaw, message: `A push to ${path} would run ${flaw}, which lies in the workspace.` };
  }
  return null;
}

function addressesOf(entries: readonly ConfigEntry[]): readonly string[] {
  return entries.flatMap(({ section, key, value }) => {
    const isAddress =
      (section === "remote" && ["url", "pushurl", "pushdefault"].includes(key)) ||
      (section === "branch" && ["remote", "pushremote"].includes(key));
    return isAddress && value !== null ? [value] : [];
  });
}

/** Each as it stands, and as `url.BASE.insteadOf` makes it. */
function rewritten(addresses: readonly string[], entries: readonly ConfigEntry[]): readonly string[] {
  const rules = entries.filter(({ section, key }) => section === "url" && /^(push)?insteadof$/.test(key));
  const others = addresses.flatMap((address) =>
    rules.flatMap(({ name, value }) =>
      value !== null && address.startsWith(value) ? [`${name}${address.slice(value.length)}`] : [],
    ),
  );
  return [...addresses, ...others];
}

/** A hook, or a setting that names programs, of the repository that lies there; null where there is none. */
function hookOf(gitDir: string, search: ConfigSearch): string | null {
  if (!existsSync(join(gitDir, "HEAD"))) return null;
  const { entries, unread } = readConfig([join(gitDir, "config")], search);
  const setting = entries.find((entry) =>
    /^(core\.(hookspath|alternaterefscommand|fsmonitor)|hook\..*\.command|filter\..*\.(smudge|process|clean))$/.test(
      nameOf(entry),
    ),
  );
  if (setting !== undefined) return `${gitDir}: ${nameOf(setting)}`;
  if (unread.length > 0) return `${gitDir}: include.path`;
  const hooks = existsSync(join(gitDir, "hooks")) ? readdirSync(join(gitDir, "hooks")) : [];
  const hook = hooks.find((name) => !name.endsWith(".sample"));
  return hook === undefined ? null : join(gitDir, "hooks", hook);
}
