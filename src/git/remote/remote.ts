/** Lists the remotes of a repository, without credentials, and chooses the ones to fetch from and push to. */
import { err, ok, type Result } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul } from "../process/nul-list.ts";
import { carriesCredentials, redactUrl } from "../process/redact-url.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export interface Remote {
  readonly name: string;
  /** As git uses it (`insteadOf` applied), without credentials. */
  readonly fetchUrl: string;
  readonly pushUrl: string;
  /** Every address that a push goes to, `pushUrl` first. */
  readonly pushUrls: readonly string[];
  /** A push goes to several addresses, or to another address than a fetch uses. */
  readonly pushesElsewhere: boolean;
  /** The configured URL contains a password or a token of the user (a doctor finding). */
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
  /** The remotes of the repository. */
  readonly names: readonly string[];
  readonly message: string;
}

const KEYS = "^(remote\\..*\\.(url|pushurl|fetch)|url\\..*\\.(insteadof|pushinsteadof))$";

/** Every remote, sorted by name. Git is asked only if the configuration rewrites addresses. */
export async function listRemotes(git: Git, target: GitTarget): GitAnswer<readonly Remote[]> {
  const config = await git.run(target, ["config", "--null", "--get-regexp", KEYS], { expect: [0, 1] });
  if (config.isErr()) return err(config.error);
  const settings = fromNul(config.value.stdout).map(settingOf);
  if (!settings.some(rewrites)) return ok(remotesOf(settings, ""));
  const shown = await git.run(target, ["remote", "--verbose"]);
  return shown.map(({ stdout }) => remotesOf(settings, stdout));
}

interface Setting {
  /** The remote's name; null for a `url` rewrite setting. */
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

/** An empty address clears the ones before it, in git versions that support this. */
function rewrites({ remote, value }: Setting): boolean {
  return remote === null || value === "";
}

/**
 * The configured remotes (`remote`, `push_remote`). Without a configured one: `origin`, else the only remote. Null if
 * the repository has none at all.
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

/** Whether `git fetch REMOTE` updates this branch's remote-tracking reference (in a single-branch clone it may not). */
export function fetchesBranch(remote: Pick<Remote, "name" | "fetchRefspecs">, branch: string): boolean {
  const tracking = `refs/remotes/${remote.name}/${branch}`;
  return remote.fetchRefspecs.some((refspec) => {
    const [from = "", to = ""] = refspec.replace(/^\+/, "").split(":");
    return mapRef({ from, to }, `refs/heads/${branch}`) === tracking;
  });
}

/** Whether `git fetch REMOTE --prune` keeps a remote-tracking reference for every branch of the remote. */
export function fetchesAllBranches(remote: Pick<Remote, "name" | "fetchRefspecs">): boolean {
  // For a mirror, `fetchRemote` writes remote-tracking references instead.
  if (fetchesOverLocalRefs(remote)) return true;
  const all = `refs/heads/*:refs/remotes/${remote.name}/*`;
  return (
    remote.fetchRefspecs.some((refspec) => refspec.replace(/^\+/, "") === all) &&
    !remote.fetchRefspecs.some((refspec) => refspec.startsWith("^"))
  );
}

/** Whether a plain fetch would write or prune references that are not remote-tracking ones (a mirror). */
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
    // If there is no fetch address, git uses the name itself as one.
    const [url = name] = urls;
    const fetchUrl = shownUrls(shown, name, "fetch")[0] ?? url;
    const shownPushes = shownUrls(shown, name, "push");
    const configured = pushUrls.length > 0 ? pushUrls : urls.length > 0 ? urls : [name];
    const pushes = shownPushes.length > 0 ? shownPushes : configured;
    return {
      name,
      fetchUrl: redactUrl(fetchUrl),
      pushUrl: redactUrl(pushes[0] ?? url),
      pushUrls: pushes.map(redactUrl),
      pushesElsewhere: pushes.length > 1 || pushes[0] !== fetchUrl,
      credentialsInUrl: [...urls, ...pushUrls].some(carriesCredentials),
      fetchRefspecs: values("fetch"),
    };
  });
}

/**
 * The URLs of the lines of `git remote --verbose`: name, TAB, URL, then `(fetch)` or `(push)`, perhaps a filter in
 * brackets.
 */
function shownUrls(shown: string, name: string, way: "fetch" | "push"): readonly string[] {
  const ending = new RegExp(` \\(${way}\\)(?: \\[[^\\]]*\\])?$`);
  const lines = shown.split("\n").filter((one) => one.startsWith(`${name}\t`) && ending.test(one));
  return lines.map((line) => line.slice(name.length + 1).replace(ending, ""));
}

/**
 * The remote's server programs, as arguments. An agent can reach the file of `remote.NAME.uploadpack` and
 * `receivepack`. These name a program that a remote on this machine would run here. Git takes their first value,
 * so `-c`, which it reads last, cannot replace it; an argument can. This one is for `fetch`, `pull` and `ls-remote`.
 */
export const SENT_BY_STANDARD = "--upload-pack=git-upload-pack";
/** The argument for `push`. */
export const TAKEN_BY_STANDARD = "--receive-pack=git-receive-pack";
