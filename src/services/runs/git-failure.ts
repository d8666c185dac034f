/** Says what a git error means for a run: which failure it is, in words for a person. */

import { shellWord } from "../../domain/doctor/found.ts";
import { type Failure, type FailureCode, failure } from "../../domain/run/failure.ts";
import { wasKilled } from "../../git/git-error.ts";
import type { RemoteError } from "../../git/remote-error.ts";
import type { RunWorld, Step } from "./step.ts";

/** What was being done: it decides the code where git's own words do not. */
export type GitWork = "fetch" | "worktree" | "stage" | "commit" | "push";

const CODES: Readonly<Record<GitWork, FailureCode>> = {
  fetch: "fetch_failed",
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
  const ours = "path" in error ? freeBranch(error) : REMEDIES[error.kind];
  const killed = wasKilled(error);
  const remedy = killed ? goOnAfterKill(work) : (BY_WORK[error.kind]?.(work, error) ?? ours);
  // The worktree may be whole: nobody could look.
  const code = killed && work === "worktree" ? "interrupted" : codeFor(work, error.kind);
  return failure(code, error.message, {
    details: { kind: error.kind, ...at },
    ...(remedy === undefined ? {} : { remedy }),
  });
}

/** For what an agent did to git's own files, or put where files were: a person decides, since it may have been a person after all. */
const REMEDIES: Readonly<Record<string, string>> = {
  planted:
    "Read them with `tazuna trust`, which accepts them if they are right; else take them back in the repository's configuration (`git config --edit`) or delete the file named. Then `tazuna retry RUN`. The files are kept in the worktree.",
  special_file:
    "Delete it in the worktree, or put a file in its place; then `tazuna continue ATTEMPT`, which publishes the files as they are.",
  redirected:
    "Look at what lies there, put the real file or folder back in its place, then `tazuna retry RUN`. Nothing was written there.",
};

/** How a run goes on that another git kept from its work, without asking its agent again for what is done. */
const AGAIN: Readonly<Record<GitWork, string>> = {
  fetch: "`tazuna retry RUN`",
  worktree: "`tazuna retry RUN`",
  stage: "`tazuna continue ATTEMPT`, which publishes the files as they are",
  commit: "`tazuna continue ATTEMPT`, which publishes the files as they are",
  push: "`tazuna retry RUN --from push`",
};

const BY_WORK: Readonly<Record<string, (work: GitWork, error: object) => string | undefined>> = {
  locked: waitForLock,
  timed_out: giveTime,
};

/** Of a remote that does not answer, more time is no remedy. */
function giveTime(work: GitWork): string | undefined {
  if (work !== "stage" && work !== "commit") return undefined;
  return `A change of very many files takes git longer than that: set \`limits.git_s\` to more seconds. Then ${AGAIN[work]}. The files are kept.`;
}

/** Neither the network nor a rule of the remote's nor the worktree is the cause. */
function goOnAfterKill(work: GitWork): string {
  return `Something killed git, mostly the system when its memory runs out: see to that. Then ${AGAIN[work]}. The files are kept.`;
}

/** A lock that stays is held by a git that works, or was left by one that was killed; only a person knows. */
function waitForLock(work: GitWork, error: object): string {
  const named = "lockFile" in error && typeof error.lockFile === "string";
  const file = named ? error.lockFile : "the file that git names";
  return `Wait until the other git is done; where none is running any more, delete ${file}. Then ${AGAIN[work]}. The files are kept.`;
}

/** Git lets one worktree have a branch checked out, and another one has it. */
function freeBranch({ kind, path }: { readonly kind: string; readonly path?: unknown }): string | undefined {
  if (kind !== "branch_checked_out" || typeof path !== "string") return REMEDIES[kind];
  return `Switch ${path} to another branch (\`git -C ${shellWord(path)} switch BRANCH\`), or take that worktree away; then \`tazuna retry RUN\`.`;
}

/** The same as a step. */
export function gitFailed(
  work: GitWork,
  error: RemoteError | { readonly kind: string; readonly message: string },
): Step {
  // Only a person's stop makes a call end so.
  if (error.kind === "canceled") return { event: "cancel" };
  return { event: "fail", failure: gitFailure(work, error) };
}

/** A failure because the repository itself is not where it was, or another one lies there. */
export function repositoryGone({ repository, run }: RunWorld, what: "gone" | "replaced"): Step {
  const { id, path } = repository;
  const message =
    what === "gone"
      ? `The repository ${path} is not there any more.`
      : `${path} is another repository now, or does not open: it lacks the commit that this attempt began at.`;
  const again = run.commit === null ? "" : " --from push";
  return {
    event: "fail",
    failure: failure("worktree_lost", message, {
      details: { path, repository: id },
      remedy: `Put it back, or tell Tazuna where it was moved with \`tazuna repo move ${id.slice(0, 8)} PATH\`; then \`tazuna retry RUN${again}\`. Nothing in the attempt's folder was changed.`,
    }),
  };
}

function codeFor(work: GitWork, kind: string): FailureCode {
  switch (kind) {
    case "disk_full":
      return "disk_full";
    case "filter_failed":
      return "lfs_missing";
    case "git_missing":
      return "internal";
    case "planted":
      return work === "worktree" ? "setup_failed" : CODES[work];
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
