/**
 * Makes worktrees: registers them under the repository's lock, and fills them with files outside it (seed 003 Phase 1,
 * GitService).
 */
import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { err, ok } from "neverthrow";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import { type GitAnswer, type GitError, wasKilled } from "../process/git-error.ts";
import { type FilterFailed, filterFailure } from "../process/local-error.ts";
import { readGitFile, readHeadFile } from "../process/locate-git-dir.ts";
import { asRemoteError, type RemoteError } from "../process/remote-error.ts";
import { branchInTheWay } from "../refs/branch.ts";
import { deleteRef, readHead, readRef } from "../refs/refs.ts";
import { addMayPass, MAX_REGISTRATIONS } from "../runner/half-registered.ts";
import { type Git, type GitTarget, pauseMs } from "../runner/run-git.ts";

/** The seed's `WorktreeInfo` (seed 003 Phase 1), with the git directory for every later call. */
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
  /** A branch of that name exists; `sha` is its commit. */
  | { readonly kind: "branch_taken"; readonly branch: string; readonly sha: string; readonly message: string }
  /** `blockedBy` prevents a branch of that name. */
  | {
      readonly kind: "branch_name_blocked";
      readonly branch: string;
      readonly blockedBy: string;
      /** The remote that has that branch; absent if the branch is local. */
      readonly remote?: string;
      readonly message: string;
    }
  /** The branch is checked out in another worktree. */
  | {
      readonly kind: "branch_checked_out";
      readonly branch: string;
      readonly path: string | null;
      readonly message: string;
    }
  /** The path is taken, or git has a worktree registered there. */
  | {
      readonly kind: "path_taken";
      readonly path: string;
      readonly registered: boolean;
      readonly message: string;
    }
  /** `git worktree add` succeeded, but made something else than requested. */
  | { readonly kind: "worktree_unproven"; readonly path: string; readonly message: string };

/**
 * `git worktree add --no-track --no-checkout -b B PATH BASE_SHA`, under the repository's lock. Sparse patterns are
 * those of `target`'s checkout. Only the file `.git` is written: `checkoutWorktree` comes next, outside the lock.
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
): GitAnswer<WorktreeInfo, AddWorktreeError> {
  const { path, branch, baseSha } = options;
  const args = ["worktree", "add", "--no-track", "--no-checkout", "-b", branch, path, baseSha];
  const added = await register(git, target, { args, path, branch, newBranchAt: baseSha });
  if (added !== null) return err(added);
  return madeWorktree(git, { path, branch, baseBranch: options.baseBranch, madeAt: baseSha });
}

/** The same on an existing branch: `git worktree add --no-checkout PATH B`. */
export async function addWorktreeOnBranch(
  git: Git,
  target: GitTarget,
  options: { readonly path: string; readonly branch: string; readonly baseBranch: string },
): GitAnswer<WorktreeInfo, AddWorktreeError> {
  const { path, branch } = options;
  const args = ["worktree", "add", "--no-checkout", path, branch];
  const added = await register(git, target, { args, path, branch, newBranchAt: null });
  if (added !== null) return err(added);
  return madeWorktree(git, { path, branch, baseBranch: options.baseBranch, madeAt: null });
}

/**
 * Repeats an add until it succeeds or fails for its own reason. Other gits may be registering worktrees at the same
 * time. If a failed one made a branch, that is deleted in between. Null on success.
 */
async function register(
  git: Git,
  target: GitTarget,
  { args, ...wanted }: Omit<FailedAdd, "error"> & { readonly args: readonly string[] },
): Promise<AddWorktreeError | null> {
  for (let tries = 0; ; tries++) {
    const added = await git.run(target, args, { lockRetries: 6, halfRegistered: "tell" });
    if (added.isOk()) return null;
    const explained = await explain(git, target, { ...wanted, error: added.error });
    if (explained !== added.error || !addMayPass(added.error) || tries === MAX_REGISTRATIONS)
      return explained;
    await delay(pauseMs(tries));
  }
}

/** About twenty seconds. */
const CHECKOUT_LOCK_RETRIES = 28;

/** Writes the files of HEAD into a new worktree (`git reset --hard`); a partial clone fetches what it lacks. */
export async function checkoutWorktree(
  git: Git,
  target: GitTarget,
  options: { readonly timeoutMs?: number } = {},
): GitAnswer<void, RemoteError | FilterFailed> {
  const checkedOut = await git.run(target, ["reset", "--hard", "--quiet"], {
    access: "objects",
    // If an engine was killed, its git may still be writing these files: it runs until it is done.
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
    /** The commit at which git made the branch with the worktree; null for a branch that existed before. */
    readonly madeAt: string | null;
  },
): GitAnswer<WorktreeInfo, AddWorktreeError> {
  const unproven = (message: string) => err({ kind: "worktree_unproven" as const, path: made.path, message });
  // Read only now, before any agent works there.
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
const MAX_PATH_LENGTH = 64 * 1024;

/** Whether a worktree's git directory names the worktree. */
export async function pointsBack(gitDir: string, path: string): Promise<boolean> {
  const back = (readPlainFile(join(gitDir, "gitdir"), MAX_PATH_LENGTH) ?? "").trim();
  if (back === "") return false;
  const named = await realpath(dirname(resolve(gitDir, back))).catch(() => null);
  return named !== null && named === (await realpath(path).catch(() => null));
}

interface FailedAdd {
  readonly path: string;
  readonly branch: string;
  /** The commit of the branch that was to be made; null if it existed before. */
  readonly newBranchAt: string | null;
  readonly error: GitError;
}

/**
 * Finds out from the references why an add failed; git's messages only fill the gaps. If git left a new branch, it is
 * deleted.
 */
async function explain(git: Git, target: GitTarget, failed: FailedAdd): Promise<AddWorktreeError> {
  const { path, branch, newBranchAt, error } = failed;
  if (error.kind !== "git_failed") return error;
  const { message, stderr } = error;
  const elsewhere = /is already (?:checked out|used by worktree) at '(.*)'/.exec(stderr);
  if (elsewhere) return { kind: "branch_checked_out", branch, path: elsewhere[1] ?? null, message };
  if (newBranchAt !== null) {
    const blocked = await explainBranch(git, target, failed);
    if (blocked !== null) return blocked;
    // It is unknown how far git came; the next try checks what exists.
    if (wasKilled(error)) return error;
    await deleteRef(git, target, { ref: `refs/heads/${branch}`, from: newBranchAt });
  }
  const registered = /already registered worktree/.test(stderr);
  const taken = registered || stderr.includes(`'${path}' already exists`);
  return taken ? { kind: "path_taken", path, registered, message } : error;
}

/** The second message means that another git made the branch at the same instant. */
const EXISTED =
  /branch named .* already exists|cannot lock ref 'refs\/heads\/[^']*': reference already exists/;

/** What prevents the branch, or null if the cause is not the branch. */
async function explainBranch(
  git: Git,
  target: GitTarget,
  { branch, error }: FailedAdd,
): Promise<AddWorktreeError | null> {
  const sha = await readRef(git, target, `refs/heads/${branch}`);
  if (sha.isErr()) return sha.error;
  const existedBefore = error.kind === "git_failed" && EXISTED.test(error.stderr);
  if (existedBefore && sha.value !== null)
    return { kind: "branch_taken", branch, sha: sha.value, message: error.message };
  const blockedBy = await branchInTheWay(git, target, branch);
  if (blockedBy.isErr() || blockedBy.value === null) return null;
  const message = `the branch ${branch} cannot be made beside the branch ${blockedBy.value}`;
  return { kind: "branch_name_blocked", branch, blockedBy: blockedBy.value, message };
}
