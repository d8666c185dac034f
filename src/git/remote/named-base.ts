/** Finds the commit that a name means as a base: a branch, a tag or a commit. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { isBranchName } from "../../domain/repository/branch-names.ts";
import { nearestWords } from "../../domain/text/nearest.ts";
import type { GitAnswer } from "../process/git-error.ts";
import type { RemoteError } from "../process/remote-error.ts";
import { readRef } from "../refs/refs.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { fetchBranch } from "./fetch.ts";
import { fetchesBranch, type Remote } from "./remote.ts";

export interface ResolvedBase {
  /** Short name of the branch; null if the base is a tag or a commit. */
  readonly branch: string | null;
  /** The commit, in full. */
  readonly sha: string;
  /** What it was read from: a full reference, or the revision as it was given. */
  readonly ref: string;
}

export type ResolveBaseError =
  | RemoteError
  | {
      readonly kind: "base_missing";
      /** What was asked for; null if no default branch could be found. */
      readonly branch: string | null;
      /** Existing branches, the most similar first. */
      readonly nearest: readonly string[];
      /** The branch that a person could make from what is checked out, so that the name exists. Null if none. */
      readonly makeable: string | null;
      readonly message: string;
    }
  | { readonly kind: "empty_repository"; readonly message: string };

export interface BaseQuestion {
  /** The remote to start from; null if there is none. */
  readonly remote: Remote | null;
  /** `--base` or the configured base; null means the default branch. */
  readonly branch: string | null;
  /** Whether the remote may be asked; false uses what the last fetch left (`--offline`). */
  readonly online: boolean;
  /** Recognises branches that are unlikely as a base. They are offered only if the missing name resembles one. */
  readonly isOurs: (branch: string) => boolean;
}

export interface KnownBranches {
  /** Short name → commit. */
  readonly local: ReadonlyMap<string, string>;
  readonly remote: ReadonlyMap<string, string>;
  /** The branch that `REMOTE/HEAD` stands for, if it exists. */
  readonly remoteDefault: string | null;
}

export interface Asked {
  readonly git: Git;
  readonly target: GitTarget;
  readonly question: BaseQuestion;
  readonly known: KnownBranches;
}

export type BaseAnswer = Result<ResolvedBase, ResolveBaseError>;

/**
 * The meaning of a name that a person gave: the first that exists. The order: the remote's branch, the same as
 * `REMOTE/BRANCH`, the local branch, a tag, a commit or another revision. A full `refs/...` means itself.
 */
export async function namedBase(asked: Asked, name: string): Promise<BaseAnswer> {
  if (name.startsWith("refs/")) return revisionNamed(asked, name);
  const remote = await remoteBranchNamed(asked, name);
  if (remote.isErr()) return err(remote.error);
  if (remote.value !== null) return ok(remote.value);
  return asked.known.local.has(name) ? localBranchNamed(asked, name) : revisionNamed(asked, name);
}

/** The branch as the remote has it now; without a remote, as it is here. Missing if it does not exist. */
export async function branchBase(asked: Asked, branch: string): Promise<BaseAnswer> {
  const found = await branchOfRemote(asked, branch);
  return found.andThen((base) => (base === null ? err(baseMissing(branch, asked)) : ok(base)));
}

type MaybeBase = Result<ResolvedBase | null, RemoteError>;

/** A branch of the remote, under its own name or as `REMOTE/NAME`; null if there is none. */
async function remoteBranchNamed(asked: Asked, name: string): Promise<MaybeBase> {
  const { remote } = asked.question;
  const plain = await branchOfRemote(asked, name);
  if (plain.isErr() || plain.value !== null || remote === null) return plain;
  return name.startsWith(`${remote.name}/`)
    ? branchOfRemote(asked, name.slice(remote.name.length + 1))
    : ok(null);
}

/** A branch of this repository alone. If its branch on the remote was deleted, it may be stale: a person decides. */
async function localBranchNamed(asked: Asked, branch: string): Promise<BaseAnswer> {
  const { git, target, question, known } = asked;
  const ref = `refs/heads/${branch}`;
  const { remote } = question;
  const format = "--format=%(upstream)";
  const tracked = await git.run(target, ["for-each-ref", format, ref]);
  if (tracked.isErr()) return err(tracked.error);
  const upstream = tracked.value.stdout.trim();
  const gone =
    remote !== null && upstream.startsWith(`refs/remotes/${remote.name}/`) && known.remote.size > 0;
  if (gone) {
    const why = `the branch ${branch} is gone from ${remote.name}; \`--base ${ref}\` starts from the local one`;
    return err(baseMissing(branch, asked, { why }));
  }
  const sha = known.local.get(branch);
  return sha === undefined ? err(baseMissing(branch, asked)) : ok({ branch, ref, sha });
}

/** A remote without any branch was never pushed to. Then only the local branch exists. */
async function branchOfRemote(asked: Asked, branch: string): Promise<MaybeBase> {
  const { git, target, question, known } = asked;
  const { remote, online } = question;
  const local = known.local.get(branch);
  const localBranch = local === undefined ? null : { branch, ref: `refs/heads/${branch}`, sha: local };
  if (remote === null) return ok(localBranch);
  const ref = `refs/remotes/${remote.name}/${branch}`;
  if (!online || fetchesBranch(remote, branch)) {
    if (known.remote.size === 0) return ok(localBranch);
    const sha = known.remote.get(branch);
    return ok(sha === undefined ? null : { branch, ref, sha });
  }
  if (!isBranchName(branch)) return ok(null);
  const fetched = await fetchBranch(git, target, { remote, branch });
  if (fetched.isErr()) return fetched.error.kind === "remote_branch_missing" ? ok(null) : err(fetched.error);
  const sha = await readRef(git, target, `${ref}^{commit}`);
  return sha.map((value) => (value === null ? null : { branch, ref, sha: value }));
}

/** A tag, a commit or another revision of this repository. */
async function revisionNamed(asked: Asked, name: string): Promise<BaseAnswer> {
  return safeTry(async function* () {
    const tag = `refs/tags/${name}`;
    const tagged = yield* await commitOf(asked, tag);
    if (tagged.sha !== null) return ok({ branch: null, ref: tag, sha: tagged.sha });
    const { sha, why } = yield* await commitOf(asked, name);
    if (sha !== null) return ok({ branch: null, ref: name, sha });
    const head = yield* await commitOf(asked, "HEAD");
    const makeable = why === null && head.sha !== null ? branchMeant(asked, name) : null;
    return err(baseMissing(name, asked, { why, makeable }));
  });
}

/** The name of the branch that would be missing. Null if the name looks like a commit or another revision. */
function branchMeant({ question: { remote } }: Asked, name: string): string | null {
  const ofRemote = remote !== null && name.startsWith(`${remote.name}/`);
  const branch = ofRemote ? name.slice(remote.name.length + 1) : name.replace(/^refs\/heads\//, "");
  return isBranchName(branch) && !/^(refs|tags|remotes)\/|^[0-9a-f]{7,64}$/.test(branch) ? branch : null;
}

/** The commit, or why git reads none: an ambiguous id, or an object of another kind. Null if nothing matches. */
async function commitOf(
  { git, target }: Asked,
  revision: string,
): GitAnswer<{ readonly sha: string | null; readonly why: string | null }> {
  const args = ["rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`];
  const read = await git.run(target, args, { expect: [0, 128] });
  return read.map(({ exitCode, stdout, stderr }) => {
    if (exitCode === 0) return { sha: stdout.trim(), why: null };
    const name = revision.replace(/^refs\/tags\//, "");
    const kind = /object dereferences to (\w+) type/.exec(stderr)?.[1];
    if (kind !== undefined) return { sha: null, why: `the base ${name} is a ${kind}, not a commit` };
    return {
      sha: null,
      why: /is ambiguous/.test(stderr) ? `the base ${name} fits more than one commit` : null,
    };
  });
}

/** The error for a base that does not exist, with the names that a person may have meant. */
export function baseMissing(
  name: string | null,
  { known, question: { isOurs, remote } }: Pick<Asked, "known" | "question">,
  { why = null, makeable = null }: { readonly why?: string | null; readonly makeable?: string | null } = {},
): ResolveBaseError {
  const all = [...(known.remote.size > 0 ? known.remote : known.local).keys()];
  const names = name !== null && isOurs(name) ? all : all.filter((each) => !isOurs(each));
  const nearest = name === null ? names.slice(0, 5) : nearestWords(name, names);
  const where = remote === null ? "in this repository" : `in this repository or on ${remote.name}`;
  const none =
    name === null
      ? "no default branch: HEAD is detached and the remote names none"
      : `there is no branch, tag or commit called ${name} ${where}`;
  return { kind: "base_missing", branch: name, nearest, makeable, message: why ?? none };
}
