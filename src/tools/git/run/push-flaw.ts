/** Looks at the repositories inside the workspace that a push could reach: what takes the push runs their hooks, on this machine. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../../utils/path-spelling.ts";
import { findRepository, isFlaw, placeFrom, type RepositoryFlaw, realOrNull } from "./find-repository.ts";
import { type ConfigEntry, nameOf } from "./parse-config.ts";
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
    const path = pathOf(address);
    const flaw = ["/.git", "", ".git/.git", ".git"]
      .map((suffix) => realOrNull(placeFrom(search.cwd, `${path}${suffix}`)))
      .filter((at) => at !== null && isInside(search.workspaceRoot, at, process.platform))
      .map((at) => hookAt(at ?? "", search))
      .find((at) => at !== null);
    if (flaw === undefined || flaw === null) continue;
    return { at: flaw, message: `A push to ${path} would run ${flaw}, which lies in the workspace.` };
  }
  return null;
}

/** As git takes it: the name of a machine does not count, and what is encoded is decoded. */
function pathOf(address: string): string {
  const path = /^file:\/\/[^/]*(\/.*)$/.exec(address)?.[1];
  if (path === undefined) return address;
  return Buffer.from(
    path.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    "latin1",
  ).toString("utf8");
}

/** A file of that name may say where the repository lies. */
function hookAt(at: string, search: PushSearch): string | null {
  if (statSync(at).isDirectory()) return hookOf(at, search);
  const found = findRepository(dirname(at), search.files);
  if (found === null) return null;
  return isFlaw(found) ? found.at : (hookOf(found.gitDir, search) ?? hookOf(found.commonDir, search));
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
  const { entries, unread } = readConfig([join(gitDir, "config"), join(gitDir, "config.worktree")], search);
  const setting = entries.find((entry) =>
    /^(core\.(hookspath|alternaterefscommand|fsmonitor|worktree)|gc\.recentobjectshook|receive\.fsck\.skiplist|hook\..*\.command|filter\..*\.(smudge|process|clean))$/.test(
      nameOf(entry),
    ),
  );
  if (setting !== undefined) return `${gitDir}: ${nameOf(setting)}`;
  if (unread.length > 0) return `${gitDir}: include.path`;
  const folder = join(gitDir, "hooks");
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  const hooks = isFolder ? readdirSync(folder) : [];
  if (existsSync(join(gitDir, "commondir"))) return join(gitDir, "commondir");
  const hook = hooks.find((name) => !name.endsWith(".sample"));
  return hook === undefined ? null : join(gitDir, "hooks", hook);
}
