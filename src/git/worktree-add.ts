/** Makes worktrees: registered under the repository's lock, filled with files outside it. */
import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { readPlainFile } from "../utils/read-plain-file.ts";
import { branchInTheWay } from "./branch.ts";
import { type FilterFailed, filterFailure } from "./filter-failure.ts";
import { type GitError, wasKilled } from "./git-error.ts";
import { readGitFile, readHeadFile } from "./locate-git-dir.ts";
import { deleteRef, readHead, readRef } from "./refs.ts";
import { asRemoteError, type RemoteError } from "./remote-error.ts";
import type { Git, GitTarget } from "./run-git.ts";

/** The seed's `WorktreeInfo` (seed 003), with the git directory that every later call names. */
export interface WorktreeInfo {
  readonly path: string;
  readonly branchName: string;
  readonly baseBranch: string;
  /** The worktree's private git directory, read when git made it. */
  readonly gitDir: string;
  /** The commit that HEAD was made at. */
  readonly headSha: string;
}

export type AddWorktreeError =
  | GitError
  /** A branch of that name exists; `sha` is where it is. */
  | { readonly kind: "branch_taken"; readonly branch: string; readonly sha: string; readonly message: string }
  /** The name cannot exist beside `blockedBy`. */
  | {
      readonly kind: "branch_name_blocked";
      readonly branch: string;
      readonly blockedBy: string;
      readonly message: string;
    }
  /** The branch is checked out in another worktree. */
  | {
      readonly kind: "branch_checked_out";
      readonly branch: string;
      readonly path: string | null;
      readonly message: string;
    }
  /** Something is at the path already, or git has a worktree registered there. */
  | {
      readonly kind: "path_taken";
      readonly path: string;
      readonly registered: boolean;
      readonly message: string;
    }
  /** `git worktree add` answered well, yet what it made is not what was asked for. */
  | { readonly kind: "worktree_unproven"; readonly path: string; readonly message: string };

/**
 * `git worktree add --no-track --no-checkout -b B PATH BASE_SHA`, under the repository's lock. Sparse patterns are
 * those of `target`'s checkout. No file is written but `.git`: `checkoutWorktree` comes next, outside the lock.
 */
export async function addWorktree(
  git: Git,
  target: GitTarget,
  options: {
    readonly path: string;
    readonly branch: string;
    readonly baseBranch: string;
    readonly baseSha: string;
  },
): Promise<Result<WorktreeInfo, AddWorktreeError>> {
  const { path, branch, baseSha } = options;
  const args = ["worktree", "add", "--no-track", "--no-checkout", "-b", branch, path, baseSha];
  const added = await git.run(target, args, { lockRetries: 6 });
  if (added.isErr())
    return err(await explain(git, target, { path, branch, error: added.error, newBranchAt: baseSha }));
  return madeWorktree(git, { path, branch, baseBranch: options.baseBranch, madeAt: baseSha });
}

/** The same on a branch that exists: `git worktree add --no-checkout PATH B`. */
export async function addWorktreeOnBranch(
  git: Git,
  target: GitTarget,
  options: { readonly path: string; readonly branch: string; readonly baseBranch: string },
): Promise<Result<WorktreeInfo, AddWorktreeError>> {
  const { path, branch } = options;
  const args = ["worktree", "add", "--no-checkout", path, branch];
  const added = await git.run(target, args, { lockRetries: 6 });
  if (added.isErr())
    return err(await explain(git, target, { path, branch, error: added.error, newBranchAt: null }));
  return madeWorktree(git, { path, branch, baseBranch: options.baseBranch, madeAt: null });
}

/** About twenty seconds. */
const CHECKOUT_LOCK_RETRIES = 28;

/** Writes the files of HEAD into a new worktree (`git reset --hard`); a partial clone fetches what it lacks. */
export async function checkoutWorktree(
  git: Git,
  target: GitTarget,
  options: { readonly timeoutMs?: number } = {},
): Promise<Result<void, RemoteError | FilterFailed>> {
  const checkedOut = await git.run(target, ["reset", "--hard", "--quiet"], {
    access: "objects",
    // The git of an engine that was killed may still be writing these files: it lives on until it is done.
    lockRetries: CHECKOUT_LOCK_RETRIES,
    ...options,
  });
  return checkedOut
    .map(() => undefined)
    .mapErr((error) => (error.kind === "git_failed" ? filterFailure(error) : null) ?? asRemoteError(error));
}

/** Reads and checks what git wrote: the `.git` file, the back pointer, HEAD. */
async function madeWorktree(
  git: Git,
  made: {
    readonly path: string;
    readonly branch: string;
    readonly baseBranch: string;
    /** The commit at which git made the branch with the worktree; null for a branch that was there before. */
    readonly madeAt: string | null;
  },
): Promise<Result<WorktreeInfo, AddWorktreeError>> {
  const unproven = (message: string) => err({ kind: "worktree_unproven" as const, path: made.path, message });
  // Read only now, before an agent was there.
  const gitDir = await readGitFile(made.path);
  if (gitDir === null) return unproven(`git left no .git file in ${made.path}`);
  if (!(await pointsBack(gitDir, made.path)))
    return unproven(`${gitDir} does not point back to ${made.path}`);
  const info = (headSha: string): WorktreeInfo => ({
    path: made.path,
    branchName: made.branch,
    baseBranch: made.baseBranch,
    gitDir,
    headSha,
  });
  if (made.madeAt !== null && (await readHeadFile(gitDir)) === made.branch) return ok(info(made.madeAt));
  const head = await readHead(git, { gitDir, workTree: made.path });
  if (head.isErr()) return err(head.error);
  const { sha, branch } = head.value;
  if (sha === null || branch !== made.branch)
    return unproven(`HEAD of ${made.path} is not on ${made.branch}`);
  return ok(info(sha));
}

/** In bytes, and more than any system allows. */
const LONGEST_PATH = 64 * 1024;

/** Whether a worktree's git directory names the worktree. */
export async function pointsBack(gitDir: string, path: string): Promise<boolean> {
  const back = (readPlainFile(join(gitDir, "gitdir"), LONGEST_PATH) ?? "").trim();
  if (back === "") return false;
  const named = await realpath(dirname(resolve(gitDir, back))).catch(() => null);
  return named !== null && named === (await realpath(path).catch(() => null));
}

interface FailedAdd {
  readonly path: string;
  readonly branch: string;
  /** The commit of the branch that was to be made; null where it existed before. */
  readonly newBranchAt: string | null;
  readonly error: GitError;
}

/** Asks the references why an add failed; git's words only tell what they cannot. A branch that git made and left is deleted. */
async function explain(git: Git, target: GitTarget, failed: FailedAdd): Promise<AddWorktreeError> {
  const { path, branch, newBranchAt, error } = failed;
  if (error.kind !== "git_failed") return error;
  const { message, stderr } = error;
  const elsewhere = /is already (?:checked out|used by worktree) at '(.*)'/.exec(stderr);
  if (elsewhere) return { kind: "branch_checked_out", branch, path: elsewhere[1] ?? null, message };
  if (newBranchAt !== null) {
    const blocked = await explainBranch(git, target, failed);
    if (blocked !== null) return blocked;
    // Nobody knows how far it came; whoever tries again looks at what is there.
    if (wasKilled(error)) return error;
    await deleteRef(git, target, { ref: `refs/heads/${branch}`, from: newBranchAt });
  }
  const registered = /already registered worktree/.test(stderr);
  const taken = registered || stderr.includes(`'${path}' already exists`);
  return taken ? { kind: "path_taken", path, registered, message } : error;
}

/** What keeps the branch from being made, or null where it is not the branch. */
async function explainBranch(
  git: Git,
  target: GitTarget,
  { branch, error }: FailedAdd,
): Promise<AddWorktreeError | null> {
  const sha = await readRef(git, target, `refs/heads/${branch}`);
  if (sha.isErr()) return sha.error;
  const existedBefore = error.kind === "git_failed" && /branch named .* already exists/.test(error.stderr);
  if (existedBefore && sha.value !== null)
    return { kind: "branch_taken", branch, sha: sha.value, message: error.message };
  const blockedBy = await branchInTheWay(git, target, branch);
  if (blockedBy.isErr() || blockedBy.value === null) return null;
  const message = `the branch ${branch} cannot be made beside the branch ${blockedBy.value}`;
  return { kind: "branch_name_blocked", branch, blockedBy: blockedBy.value, message };
}
