/** Finds the commit that a task starts from (product contract, "Kinds of repository"). */
import { err, ok, type Result } from "neverthrow";
import { fetchBranch } from "./fetch.ts";
import type { GitError } from "./git-error.ts";
import { symrefHead } from "./ls-remote.ts";
import { nearestNames } from "./nearest-names.ts";
import { branchOf, listRefs, readHead, readRef } from "./refs.ts";
import { fetchesBranch, type Remote } from "./remote.ts";
import type { RemoteError } from "./remote-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

export interface ResolvedBase {
  /** Short name of the branch. */
  readonly branch: string;
  /** The commit, in full. */
  readonly sha: string;
  /** The full reference it was read from. */
  readonly ref: string;
}

export type ResolveBaseError =
  | RemoteError
  | {
      readonly kind: "base_missing";
      /** What was asked for; null where no default branch could be found. */
      readonly branch: string | null;
      /** Existing branches, the most similar first. */
      readonly nearest: readonly string[];
      readonly message: string;
    }
  | { readonly kind: "empty_repository"; readonly message: string };

export interface BaseQuestion {
  /** The remote to start from; null where there is none. */
  readonly remote: Remote | null;
  /** `--base` or the configured base; null means the default branch. */
  readonly branch: string | null;
  /** Whether the remote may be asked; false uses what the last fetch left (`--offline`). */
  readonly online: boolean;
  /** Tells branches from which nobody means to start; they are offered only where one like them was asked for. */
  readonly isOurs: (branch: string) => boolean;
}

/**
 * The base as it is after the fetch: `REMOTE/BASE`, or the local branch where there is no remote. Without a name: the
 * remote's HEAD as stored, else as asked (`ls-remote --symref`), else the branch that is checked out. It may fetch one
 * branch (single-branch and bare clones): call it under the repository's lock.
 */
export async function resolveBase(
  git: Git,
  target: GitTarget,
  question: BaseQuestion,
): Promise<Result<ResolvedBase, ResolveBaseError>> {
  const known = await knownBranches(git, target, question.remote);
  if (known.isErr()) return err(known.error);
  const asked: Asked = { git, target, question, known: known.value };
  if (known.value.local.size + known.value.remote.size === 0) {
    const head = await readHead(git, target);
    if (head.isErr()) return err(head.error);
    if (head.value.sha === null)
      return err({ kind: "empty_repository", message: "the repository has no commit yet" });
  }
  if (question.branch !== null) return namedBase(asked, question.branch);
  const branch = await defaultBranch(asked);
  if (branch.isErr()) return err(branch.error);
  if (branch.value === null) return checkedOutBase(asked);
  const found = await namedBase(asked, branch.value);
  return isMissing(found) ? checkedOutBase(asked) : found;
}

interface KnownBranches {
  /** Short name → commit. */
  readonly local: ReadonlyMap<string, string>;
  readonly remote: ReadonlyMap<string, string>;
  /** What `REMOTE/HEAD` stands for, where that exists. */
  readonly remoteDefault: string | null;
}

interface Asked {
  readonly git: Git;
  readonly target: GitTarget;
  readonly question: BaseQuestion;
  readonly known: KnownBranches;
}

type Answer = Result<ResolvedBase, ResolveBaseError>;

async function knownBranches(
  git: Git,
  target: GitTarget,
  remote: Remote | null,
): Promise<Result<KnownBranches, GitError>> {
  const tracking = remote === null ? null : `refs/remotes/${remote.name}/`;
  const prefixes = ["refs/heads", ...(tracking === null ? [] : [tracking])];
  const refs = await listRefs(git, target, { prefixes });
  return refs.map((found) => {
    const ofRemote = tracking === null ? [] : found.filter(({ name }) => name.startsWith(tracking));
    const short = (name: string) => name.slice(tracking?.length ?? 0);
    const head = ofRemote.find(({ name }) => short(name) === "HEAD")?.symref ?? "";
    const branches = ofRemote.filter(({ name, symref }) => symref === null && short(name) !== "HEAD");
    return {
      local: new Map(found.flatMap(({ name, sha }) => localBranch(name, sha))),
      remote: new Map(branches.map(({ name, sha }) => [short(name), sha])),
      remoteDefault: tracking !== null && head.startsWith(tracking) ? short(head) : null,
    };
  });
}

function localBranch(name: string, sha: string): (readonly [string, string])[] {
  const branch = branchOf(name);
  return branch === null ? [] : [[branch, sha]];
}

/** The branch that the remote calls its default, as far as it can be known without the user's checkout. */
async function defaultBranch({
  git,
  target,
  question,
  known,
}: Asked): Promise<Result<string | null, RemoteError>> {
  if (question.remote === null) return ok(null);
  if (known.remoteDefault !== null) return ok(known.remoteDefault);
  if (!question.online) return ok(null);
  return symrefHead(git, target, question.remote.name);
}

async function namedBase(asked: Asked, branch: string): Promise<Answer> {
  const { git, target, question, known } = asked;
  const { remote, online } = question;
  // A remote without any branch was never pushed to: the local branch is all there is.
  const local = known.local.get(branch);
  if (remote === null) return baseAt(asked, { branch, ref: `refs/heads/${branch}`, sha: local });
  const ref = `refs/remotes/${remote.name}/${branch}`;
  if (!online || fetchesBranch(remote, branch)) {
    if (known.remote.size > 0) return baseAt(asked, { branch, ref, sha: known.remote.get(branch) });
    return baseAt(asked, { branch, ref: `refs/heads/${branch}`, sha: local });
  }
  const fetched = await fetchBranch(git, target, { remote, branch });
  if (fetched.isOk()) {
    const sha = await readRef(git, target, `${ref}^{commit}`);
    return sha.isErr() ? err(sha.error) : baseAt(asked, { branch, ref, sha: sha.value ?? undefined });
  }
  if (fetched.error.kind !== "remote_branch_missing") return err(fetched.error);
  return err(baseMissing(branch, asked));
}

/** The last resort: the branch that is checked out, as the remote has it, else as it is here. */
async function checkedOutBase(asked: Asked): Promise<Answer> {
  const head = await readHead(asked.git, asked.target);
  if (head.isErr()) return err(head.error);
  const { branch } = head.value;
  if (branch === null) return err(baseMissing(null, asked));
  const found = await namedBase(asked, branch);
  if (!isMissing(found)) return found;
  return baseAt(asked, { branch, ref: `refs/heads/${branch}`, sha: asked.known.local.get(branch) });
}

function baseAt(
  asked: Asked,
  at: { readonly branch: string; readonly ref: string; readonly sha: string | undefined },
): Answer {
  if (at.sha === undefined) return err(baseMissing(at.branch, asked));
  return ok({ branch: at.branch, sha: at.sha, ref: at.ref });
}

function isMissing(answer: Answer): boolean {
  return answer.isErr() && answer.error.kind === "base_missing";
}

function baseMissing(
  branch: string | null,
  { known, question: { isOurs } }: Pick<Asked, "known" | "question">,
): ResolveBaseError {
  const all = [...(known.remote.size > 0 ? known.remote : known.local).keys()];
  const names = branch !== null && isOurs(branch) ? all : all.filter((name) => !isOurs(name));
  const nearest = branch === null ? names.slice(0, 5) : nearestNames(branch, names);
  const message =
    branch === null
      ? "no default branch: HEAD is detached and the remote names none"
      : `the base branch ${branch} does not exist`;
  return { kind: "base_missing", branch, nearest, message };
}
