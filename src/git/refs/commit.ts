/** Commits what is staged on the expected branch as the expected person (seed 003 Phase 3, GitService). */
import { err, ok } from "neverthrow";
import { type GitAnswer, type GitError, wasKilled } from "../process/git-error.ts";
import { type Identity, identityVariables, readIdentity } from "../repository/identity.ts";
import { overPassingTrouble } from "../runner/ask-again.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { readHead } from "./refs.ts";

export interface CommitRequest {
  readonly branch: string;
  readonly message: string;
  /** Null means the user's own identity, or Tazuna's if git knows none. Git is asked only if it refuses to commit. */
  readonly identity: Identity | null;
  /** `inherit` signs if the user's configuration says so. */
  readonly sign: "inherit" | "off";
  /** Hooks run only if their folder is named. */
  readonly hooks: { readonly mode: "off" } | { readonly mode: "run"; readonly path: string };
  readonly timeoutMs?: number;
}

export interface Committed {
  /** In full. */
  readonly sha: string;
  readonly tree: string;
  /** Two for a merge. */
  readonly parents: readonly string[];
}

type CommitError =
  | GitError
  | { readonly kind: "nothing_to_commit"; readonly message: string }
  /** HEAD is not on the branch of the request; nothing was committed. */
  | {
      readonly kind: "wrong_branch";
      readonly expected: string;
      readonly actual: string | null;
      readonly message: string;
    }
  /** Git reported a commit, but HEAD is not a child of its former commit. */
  | {
      readonly kind: "head_not_moved";
      readonly before: string | null;
      readonly after: string | null;
      readonly message: string;
    };

/** `git commit -m MESSAGE`. A merge in progress is concluded with both parents. */
export async function commit(
  git: Git,
  target: GitTarget,
  request: CommitRequest,
): GitAnswer<Committed, CommitError> {
  const before = await readHead(git, target);
  if (before.isErr()) return err(before.error);
  const actual = before.value.branch;
  if (actual !== request.branch) {
    const message = `HEAD is ${actual === null ? "detached" : `on ${actual}`}, not on ${request.branch}`;
    return err({ kind: "wrong_branch", expected: request.branch, actual, message });
  }
  const made = await runCommit(git, target, request);
  if (made.isErr() && !wasKilled(made.error)) return err(await explain(git, target, made.error));
  const committed = await readCommitted(git, target, { branch: request.branch, before: before.value.sha });
  // If git was killed, the commit may exist all the same: HEAD says so.
  return made.isErr() && committed.isErr() ? err(made.error) : committed;
}

async function runCommit(git: Git, target: GitTarget, request: CommitRequest) {
  const made = await commitAs(git, target, request);
  if (made.isOk() || request.identity !== null || made.error.kind !== "git_failed") return made;
  const identity = await readIdentity(git, target);
  if (identity.isErr() || identity.value.source === "user") return made;
  return commitAs(git, target, { ...request, identity: identity.value });
}

/** Without an identity, git uses the configured one and refuses to invent one. */
async function commitAs(git: Git, target: GitTarget, request: CommitRequest) {
  const { identity } = request;
  return git.run(
    target,
    ["commit", "-m", request.message, "--quiet", ...(request.sign === "off" ? ["--no-gpg-sign"] : [])],
    {
      identity: identity === null ? "given" : "guessed",
      config: request.hooks.mode === "run" ? { "core.hooksPath": request.hooks.path } : {},
      extraEnv: identity === null ? {} : identityVariables(identity),
      lockRetries: 6,
      ...(request.timeoutMs === undefined ? {} : { timeoutMs: request.timeoutMs }),
    },
  );
}

/** The facts of the commit that HEAD is at now, after a check that it follows the former one. */
async function readCommitted(
  git: Git,
  target: GitTarget,
  { branch, before }: { readonly branch: string; readonly before: string | null },
): GitAnswer<Committed, CommitError> {
  const names = [`refs/heads/${branch}`, "HEAD^{commit}", "HEAD^{tree}", "HEAD^@"];
  const read = await overPassingTrouble(() => git.run(target, ["rev-parse", ...names]), { orKilled: true });
  if (read.isErr()) return err(read.error);
  const [tip = "", sha = "", tree = "", ...parents] = read.value.stdout.trim().split("\n");
  if (tip === sha && (before === null ? parents.length === 0 : parents[0] === before))
    return ok({ sha, tree, parents });
  const message = `after the commit HEAD is ${sha}, which does not follow ${before ?? "nothing"} on ${branch}`;
  return err({ kind: "head_not_moved", before, after: sha, message });
}

async function explain(git: Git, target: GitTarget, error: GitError): Promise<CommitError> {
  if (error.kind !== "git_failed" || error.exitCode !== 1) return error;
  const same = await git.run(target, ["diff", "HEAD", "--cached", "--quiet", "--no-ext-diff", "--"], {
    expect: [0, 1],
  });
  if (same.isErr() || same.value.exitCode !== 0) return error;
  return { kind: "nothing_to_commit", message: "nothing is staged" };
}
