/**
 * Turns a git error into the failure of a run, with a remedy for a person. `domain/run/remedy.ts` fills in `{again}`,
 * `{kept}` and the like.
 */

import { type Failure, type FailureCode, failure } from "../../domain/run/failure.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { wasKilled } from "../../git/process/git-error.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

/** The work in progress. It decides the code of the failure if the error does not. */
type GitWork = "fetch" | "submodules" | "worktree" | "stage" | "commit" | "push";

const CODES: Readonly<Record<GitWork, FailureCode>> = {
  fetch: "fetch_failed",
  submodules: "fetch_failed",
  worktree: "worktree_lost",
  stage: "commit_failed",
  commit: "commit_failed",
  push: "push_rejected",
};

/** The failure that an error of git leads to while doing `work`. */
export function gitFailure(
  work: GitWork,
  error: RemoteError | { readonly kind: string; readonly message: string },
): Failure {
  const at = "at" in error ? { at: error.at } : {};
  const cause = causeOf(error);
  const fixedRemedy = "path" in error ? remedyForBranch(error) : FIXED_REMEDIES[error.kind];
  const killed = wasKilled(error);
  const remedy = killed ? remedyAfterKill() : (REMEDY_BY_WORK[error.kind]?.(work, error) ?? fixedRemedy);
  // Git was killed, so the worktree may be complete.
  const makesWorktree = work === "worktree" || work === "submodules";
  const code = killed && makesWorktree ? "interrupted" : codeFor(work, error.kind);
  const details = {
    kind: error.kind,
    ...(work === "submodules" ? { of: work } : {}),
    ...at,
    ...(cause === null ? {} : { cause }),
  };
  return failure(code, error.message, { details, remedy });
}

/**
 * The cause that decides the remedy: settings that were not read, or why a remote was not read or written. Null for
 * anything else.
 */
export function causeOf(error: { readonly kind: string; readonly why?: unknown }): string | null {
  if (error.kind === "planted") return "planted";
  if (error.kind === "remote_auth") return "auth";
  if (error.kind === "remote_missing") return "no_remote";
  return error.kind === "remote_unreachable" && typeof error.why === "string" ? error.why : null;
}

/** For problems that only a person can solve, such as a special file of an agent, which may be wanted. */
const FIXED_REMEDIES: Readonly<Record<string, string>> = {
  git_missing: "Install git, so that it is on the PATH of your shell; then {again}. {kept}",
  special_file:
    "Delete it in the worktree, or put a file in its place. Then `tazuna continue {attempt}` publishes the files as they are.",
  redirected:
    "Look at what lies there, put the real file or folder back in its place, then `tazuna retry {run}`. Nothing was written there.",
};

const REMEDY_BY_WORK: Readonly<Record<string, (work: GitWork, error: object) => string | undefined>> = {
  locked: remedyForLock,
  timed_out: remedyForTimeout,
};

/** Only for local work: if a remote does not answer, a longer limit is no remedy. */
function remedyForTimeout(work: GitWork): string | undefined {
  if (work !== "stage" && work !== "commit") return undefined;
  return `A change of very many files takes git longer than that: {double limits.git_s}. Then {again}. The files are kept.`;
}

/** Killed from outside: neither the network, nor the remote, nor the worktree is the cause. */
function remedyAfterKill(): string {
  return `Something killed git, mostly the system when its memory runs out. Mend that, then {again}. The files are kept.`;
}

/** Either a running git holds the lock file, or a killed one left it. Only a person knows which. */
function remedyForLock(_: GitWork, error: object): string {
  const named = "lockFile" in error && typeof error.lockFile === "string";
  const file = named ? error.lockFile : "the file that git names";
  return `Wait until the other git is done; if none is running any more, delete ${file}. Then {again}. The files are kept.`;
}

/** Git lets only one worktree check a branch out, and another one has it. */
function remedyForBranch({
  kind,
  path,
}: {
  readonly kind: string;
  readonly path?: unknown;
}): string | undefined {
  if (kind !== "branch_checked_out" || typeof path !== "string") return FIXED_REMEDIES[kind];
  return `Switch ${path} to another branch (\`git -C ${shellWord(path)} switch --detach\` leaves its files as they are), or take that worktree away; then \`tazuna retry {run}\`.`;
}

/** The same failure as a step. */
export function gitFailed(
  work: GitWork,
  error: RemoteError | { readonly kind: string; readonly message: string },
): Step {
  // Only a person's stop ends a call this way.
  if (error.kind === "canceled") return { event: "cancel" };
  return { event: "fail", failure: gitFailure(work, error) };
}

/** The same as a function of the error, for `mapErr`. */
export function gitFailedAt(work: GitWork): (error: Parameters<typeof gitFailed>[1]) => Step {
  return (error) => gitFailed(work, error);
}

/** A failure because the repository is no longer at its path, or because another one is. */
export function repositoryGone(
  { repository, run }: RunWorld,
  what: "gone" | "replaced" | { readonly closed: string },
): Step {
  const { id, path } = repository;
  if (typeof what === "object") return repositoryClosed(path, what.closed);
  const message =
    what === "gone"
      ? `The repository ${path} is not there any more.`
      : `${path} is another repository now, or does not open: it lacks the commit that this attempt began at.`;
  const again = run.commit === null ? "" : " --from push";
  return failed("worktree_lost", message, {
    details: { path, repository: id },
    remedy: `Put it back, or type \`tazuna repo move ${id.slice(0, 8)} .\` in the folder that it was moved to; then \`tazuna retry {run}${again}\`. Nothing in the attempt's folder was changed.`,
  });
}

/** The repository may be complete, but the system denies access. */
function repositoryClosed(path: string, why: string): Step {
  const message = `The repository ${path} cannot be opened: ${why}`;
  const remedy = `Give your user access to ${path} again, then \`tazuna retry {run}\`. Nothing was changed.`;
  return failed("worktree_lost", message, { details: { path }, remedy });
}

function codeFor(work: GitWork, kind: string): FailureCode {
  switch (kind) {
    case "disk_full":
      return "disk_full";
    case "filter_failed":
      return "lfs_missing";
    case "git_missing":
      return "internal";
    // No remote was involved, and the contents of the worktree are not in doubt.
    case "planted":
      return work === "stage" || work === "commit" ? "commit_failed" : "setup_failed";
    case "redirected":
    case "worktree_missing":
      return "worktree_lost";
    case "remote_auth":
      return work === "push" ? "push_auth" : "fetch_failed";
    case "remote_unreachable":
      return work === "push" ? "remote_unreachable" : CODES[work];
    default:
      return CODES[work];
  }
}
