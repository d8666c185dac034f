/** Asks a remote for its branches, at its fetch address or at every push address, without a fetch. */
import { err, ok } from "neverthrow";
import type { ConfigPairs } from "../../domain/git-policy/hardening/settings.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { redactUrl } from "../process/redact-url.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import type { Git, GitOptions, GitTarget } from "../runner/run-git.ts";
import { type Remote, SENT_BY_STANDARD } from "./remote.ts";

type Asked = Pick<GitOptions, "timeoutMs" | "signal">;

type PushRemote = Pick<Remote, "name" | "pushUrl" | "pushesElsewhere">;

/** The current commit of a branch on the remote, or null. It asks the fetch address. */
export async function remoteHead(
  git: Git,
  target: GitTarget,
  options: Asked & { readonly remote: string; readonly branch: string },
): GitAnswer<string | null, RemoteError> {
  const { remote, branch, ...limits } = options;
  const ref = `refs/heads/${branch}`;
  const heads = await listHeads(git, target, [remote, ref], limits);
  return heads.map((all) => all.get(branch) ?? null);
}

/** The commit of a branch at each push address, in the order of the addresses. */
export async function pushedHeads(
  git: Git,
  target: GitTarget,
  options: Asked & { readonly remote: PushRemote; readonly branch: string },
): GitAnswer<readonly (string | null)[], RemoteError> {
  const { remote, branch, ...limits } = options;
  const all = await askEach(git, target, { remote, patterns: [`refs/heads/${branch}`], limits });
  return all.map((heads) => heads.map((one) => one.get(branch) ?? null));
}

/** The names of the branches at all push addresses. */
export async function pushedBranches(
  git: Git,
  target: GitTarget,
  options: Asked & { readonly remote: PushRemote },
): GitAnswer<ReadonlySet<string>, RemoteError> {
  const { remote, ...limits } = options;
  const all = await askEach(git, target, { remote, patterns: ["refs/heads/*"], limits });
  return all.map((heads) => new Set(heads.flatMap((one) => [...one.keys()])));
}

/** The remote's default branch by `git ls-remote --symref REMOTE HEAD`, or null if the remote names none. */
export async function symrefHead(
  git: Git,
  target: GitTarget,
  remote: string,
): GitAnswer<string | null, RemoteError> {
  const listed = await git.run(target, ["ls-remote", SENT_BY_STANDARD, "--symref", remote, "HEAD"], {
    access: "remote",
  });
  return listed
    .mapErr(asRemoteError)
    .map(({ stdout }) => /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(stdout)?.[1] ?? null);
}

type Heads = ReadonlyMap<string, string>;

async function askEach(
  git: Git,
  target: GitTarget,
  query: { readonly remote: PushRemote; readonly patterns: readonly string[]; readonly limits: Asked },
): GitAnswer<readonly Heads[], RemoteError> {
  const addresses = await pushAddresses(git, target, query.remote);
  if (addresses.isErr()) return err(asRemoteError(addresses.error));
  const all: Heads[] = [];
  for (const { name, config } of addresses.value) {
    const heads = await listHeads(git, target, [name, ...query.patterns], { ...query.limits, config });
    if (heads.isErr()) return err(heads.error);
    all.push(heads.value);
  }
  return ok(all);
}

/** Branch → commit. */
async function listHeads(
  git: Git,
  target: GitTarget,
  args: readonly string[],
  options: GitOptions,
): GitAnswer<Heads, RemoteError> {
  const listed = await git.run(target, ["ls-remote", SENT_BY_STANDARD, ...args], {
    access: "remote",
    ...options,
  });
  return listed.mapErr(asRemoteError).map(({ stdout }) => {
    const lines = stdout.split("\n").map((line) => /^([0-9a-f]{40,})\trefs\/heads\/(.+)$/.exec(line));
    return new Map(lines.flatMap((found) => (found ? [[found[2] ?? "", found[1] ?? ""]] : [])));
  });
}

interface PushAddress {
  /** The name that git uses for the remote, together with `config`. */
  readonly name: string;
  readonly config: ConfigPairs;
  /** The address to show to people, without credentials. */
  readonly url: string;
}

/**
 * Every push address of a remote, so that each can be asked separately. Most remotes have one address, which their
 * name stands for. Any other gets its own name for one call. An address may hold a password, which never stands on a
 * command line.
 */
async function pushAddresses(
  git: Git,
  target: GitTarget,
  remote: Pick<Remote, "name" | "pushUrl" | "pushesElsewhere">,
): GitAnswer<readonly PushAddress[]> {
  if (!remote.pushesElsewhere) return ok([{ name: remote.name, config: {}, url: remote.pushUrl }]);
  const listed = await git.run(target, ["remote", "get-url", "--push", "--all", remote.name]);
  return listed.map(({ stdout }) =>
    stdout
      .split("\n")
      .filter((url) => url !== "")
      .map((url, index) => {
        const name = `tazuna-push-${index + 1}`;
        return { name, config: { [`remote.${name}.url`]: url }, url: redactUrl(url) };
      }),
  );
}
