/** Lists the remotes of a repository, without credentials, and chooses the ones to fetch from and push to. */
import { err, ok, type Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fromNul } from "./nul-list.ts";
import { carriesCredentials, redactUrl } from "./redact-url.ts";
import type { Git, GitTarget } from "./run-git.ts";

export interface Remote {
  readonly name: string;
  /** As git uses it (`insteadOf` applied), without credentials. */
  readonly fetchUrl: string;
  readonly pushUrl: string;
  /** The URL of the configuration carries a password or a token of the user's (a doctor finding). */
  readonly credentialsInUrl: boolean;
  /** The configured refspecs, such as `+refs/heads/*:refs/remotes/origin/*`; empty in a plain bare clone. */
  readonly fetchRefspecs: readonly string[];
}

export interface ChosenRemotes {
  readonly fetch: Remote;
  readonly push: Remote;
}

export interface RemoteMissing {
  readonly kind: "remote_missing";
  readonly name: string;
  /** The remotes there are. */
  readonly names: readonly string[];
  readonly message: string;
}

const KEYS = "^(remote\\..*\\.(url|pushurl|fetch)|url\\..*\\.(insteadof|pushinsteadof))$";

/** Every remote, sorted by name. Only where addresses are rewritten git is asked what becomes of them. */
export async function listRemotes(git: Git, target: GitTarget): Promise<Result<readonly Remote[], GitError>> {
  const config = await git.run(target, ["config", "--null", "--get-regexp", KEYS], { expect: [0, 1] });
  if (config.isErr()) return err(config.error);
  const settings = fromNul(config.value.stdout).map(settingOf);
  if (!settings.some(rewrites)) return ok(remotesOf(settings, ""));
  const shown = await git.run(target, ["remote", "--verbose"]);
  return shown.map(({ stdout }) => remotesOf(settings, stdout));
}

interface Setting {
  /** The remote's name; null for a setting of `url`. */
  readonly remote: string | null;
  readonly key: string;
  readonly value: string;
}

/** KEY, line feed, VALUE. */
function settingOf(field: string): Setting {
  const at = field.indexOf("\n");
  const [, section = "", name = "", key = ""] = /^(remote|url)\.(.*)\.(\w+)$/s.exec(field.slice(0, at)) ?? [];
  return { remote: section === "remote" ? name : null, key, value: field.slice(at + 1) };
}

/** An empty address takes the ones before it back, in the versions of git that know of that. */
function rewrites({ remote, value }: Setting): boolean {
  return remote === null || value === "";
}

/**
 * The remotes of the configuration (`remote`, `push_remote`). Without a configured one: `origin`, else the only one there
 * is; null where the repository has none at all.
 */
export function chooseRemotes(
  remotes: readonly Remote[],
  wanted: { readonly remote: string | null; readonly pushRemote: string | null },
): Result<ChosenRemotes | null, RemoteMissing> {
  const find = (name: string) => remotes.find((remote) => remote.name === name);
  if (remotes.length === 0 && wanted.remote === null && wanted.pushRemote === null) return ok(null);
  const only = remotes.length === 1 ? remotes[0] : undefined;
  const fetch = wanted.remote === null ? (find("origin") ?? only) : find(wanted.remote);
  if (fetch === undefined) return err(missing(wanted.remote ?? "origin", remotes));
  const push = wanted.pushRemote === null ? fetch : find(wanted.pushRemote);
  if (push === undefined) return err(missing(wanted.pushRemote ?? "origin", remotes));
  return ok({ fetch, push });
}

/** Whether `git fetch REMOTE` updates the remote-tracking reference of this branch (a single-branch clone's may not). */
export function fetchesBranch(remote: Pick<Remote, "name" | "fetchRefspecs">, branch: string): boolean {
  const tracking = `refs/remotes/${remote.name}/${branch}`;
  return remote.fetchRefspecs.some((refspec) => {
    const [from = "", to = ""] = refspec.replace(/^\+/, "").split(":");
    return mapRef({ from, to }, `refs/heads/${branch}`) === tracking;
  });
}

/** Whether a plain fetch would write, or prune, references that are not remote-tracking ones (a mirror). */
export function fetchesOverLocalRefs(remote: Pick<Remote, "fetchRefspecs">): boolean {
  return remote.fetchRefspecs.some((refspec) => {
    const to = refspec.split(":")[1] ?? "";
    return to !== "" && !to.startsWith("refs/remotes/") && !to.startsWith("refs/tags/");
  });
}

function mapRef(refspec: { readonly from: string; readonly to: string }, ref: string): string | null {
  if (!refspec.from.includes("*")) return refspec.from === ref ? refspec.to : null;
  const [before = "", after = ""] = refspec.from.split("*");
  if (!ref.startsWith(before) || !ref.endsWith(after) || ref.length < before.length + after.length)
    return null;
  return refspec.to.replace("*", ref.slice(before.length, ref.length - after.length));
}

function missing(name: string, remotes: readonly Remote[]): RemoteMissing {
  const names = remotes.map((remote) => remote.name);
  const there = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
  return { kind: "remote_missing", name, names, message: `the repository has no remote ${name}; ${there}` };
}

function remotesOf(settings: readonly Setting[], shown: string): Remote[] {
  const addressed = settings.filter(({ remote, key }) => remote !== null && key !== "fetch");
  const names = [...new Set(addressed.map(({ remote }) => remote ?? ""))].sort();
  return names.map((name) => {
    const values = (wanted: string) =>
      settings.flatMap(({ remote, key, value }) => (remote === name && key === wanted ? [value] : []));
    const [urls, pushUrls] = [values("url"), values("pushurl")];
    // Where there is none to fetch from, git takes the name itself for one.
    const [url = name] = urls;
    return {
      name,
      fetchUrl: redactUrl(shownUrl(shown, name, "fetch") ?? url),
      pushUrl: redactUrl(shownUrl(shown, name, "push") ?? pushUrls[0] ?? url),
      credentialsInUrl: [...urls, ...pushUrls].some(carriesCredentials),
      fetchRefspecs: values("fetch"),
    };
  });
}

/** The URL of a line of `git remote --verbose`: name, TAB, URL, then `(fetch)` or `(push)`, maybe a filter in brackets. */
function shownUrl(shown: string, name: string, way: "fetch" | "push"): string | null {
  const ending = new RegExp(` \\(${way}\\)(?: \\[[^\\]]*\\])?$`);
  const line = shown.split("\n").find((one) => one.startsWith(`${name}\t`) && ending.test(one));
  return line?.slice(name.length + 1).replace(ending, "") ?? null;
}
