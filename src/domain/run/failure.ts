/** Names every way a run can fail, each with a remedy in words (product contract, section 3). */

export const FAILURE_CODES = [
  "setup_failed",
  "agent_failed",
  "agent_not_found",
  "auth_required",
  "rate_limited",
  "timed_out",
  "stalled",
  "gate_rejected",
  "check_failed",
  "hook_failed",
  "commit_failed",
  "lfs_missing",
  "fetch_failed",
  "base_missing",
  "empty_repository",
  "branch_name_blocked",
  "push_rejected",
  "push_auth",
  "remote_unreachable",
  "conflict",
  "session_lost",
  "worktree_lost",
  "sandbox_unavailable",
  "disk_full",
  "interrupted",
  "internal",
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Why a run failed: a stable code, what happened, and what to do about it. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly remedy: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The remedy for each code; RUN and ATTEMPT stand for the ids that the caller fills in. */
const REMEDIES: Readonly<Record<FailureCode, string>> = {
  setup_failed:
    "Read the setup output with `tazuna logs RUN`, mend the command in the configuration, then `tazuna retry RUN`.",
  agent_failed:
    "Read what the agent said with `tazuna logs RUN`, then `tazuna retry RUN` or `tazuna continue ATTEMPT`.",
  agent_not_found:
    "Install the agent's command line or name its binary in the configuration; `tazuna agents` shows what is found.",
  auth_required: "Log in with the agent's own command line, then `tazuna retry RUN`.",
  rate_limited: "Wait until the limit resets, then `tazuna retry RUN`, or run the task with another agent.",
  timed_out:
    "Raise `limits.timeout_s` or make the task smaller, then `tazuna continue ATTEMPT`; the edits made so far are kept.",
  stalled:
    "Look at the last action with `tazuna logs RUN`, raise `limits.stall_s` if the agent was only slow, then `tazuna continue ATTEMPT`.",
  gate_rejected:
    "Look at the findings with `tazuna show RUN`; remove what must not be published, then `tazuna continue ATTEMPT`, or say why it may be: `tazuna publish ATTEMPT --allow RULE --reason TEXT`. The files are kept in the worktree.",
  check_failed:
    "Read the check's output with `tazuna logs RUN`, then `tazuna continue ATTEMPT`, or push it anyway: `tazuna publish ATTEMPT --allow check:NAME --reason TEXT`. The commit is kept and was not pushed.",
  hook_failed:
    "Read the hook's output with `tazuna logs RUN`, mend what it asks for, then `tazuna continue ATTEMPT`, or set `hooks` to `off`.",
  commit_failed:
    "Read git's message above; the staged files are kept in the worktree. Then `tazuna retry RUN`.",
  lfs_missing: "Install git-lfs on this machine, then `tazuna retry RUN`. Nothing was committed.",
  fetch_failed:
    "Check the network and `git fetch` in the repository, then `tazuna retry RUN`; or start from the last known base with `tazuna run --offline`.",
  base_missing: "Name a branch that exists with `--base BRANCH`.",
  empty_repository: "Make a first commit in the repository, then run again.",
  branch_name_blocked:
    "Rename the branch that is in the way, or set another `branch` template in the configuration.",
  push_rejected:
    "Read the remote's answer above; when its rule is met, `tazuna retry RUN --from push`. The commit is kept.",
  push_auth:
    "Let `git push` work in this repository (credential helper or ssh key), log in with `gh` or `glab`, or start the engine with a token (`TAZUNA_GITHUB_TOKEN` and the like), then `tazuna retry RUN --from push`. The commit is kept.",
  remote_unreachable: "Check the network, then `tazuna retry RUN --from push`. The commit is kept.",
  conflict:
    "Someone else changed the same lines on the remote branch. `tazuna continue ATTEMPT` with an instruction to resolve it, or merge by hand in `tazuna path ATTEMPT`. The commit is kept.",
  session_lost:
    "Continue with `tazuna continue ATTEMPT`; the agent starts a fresh session in the same worktree.",
  worktree_lost:
    'The worktree is gone or damaged; `tazuna continue ATTEMPT "what is left to do"` makes it again from the branch.',
  sandbox_unavailable:
    "Set `isolation` to `auto`, or make the sandbox available on this machine: `tazuna doctor` says how.",
  disk_full: "Free some disk space, then `tazuna retry RUN`. Nothing was lost.",
  interrupted:
    "The agent stopped without finishing; its edits are kept. `tazuna retry RUN` or `tazuna continue ATTEMPT`.",
  internal:
    "This is a fault in Tazuna; the details are in `server.log` in the data folder. `tazuna retry RUN` is safe.",
};

/** A failure with its remedy, the ids filled in. */
export function failure(
  code: FailureCode,
  message: string,
  options: { readonly details?: Readonly<Record<string, unknown>>; readonly remedy?: string } = {},
): Failure {
  return { code, message, remedy: options.remedy ?? REMEDIES[code], details: options.details ?? {} };
}

/** The remedy with the ids of one run in place of RUN and ATTEMPT. */
export function remedyFor(remedy: string, ids: { readonly run: string; readonly attempt: string }): string {
  return remedy.replace(/\bRUN\b/g, ids.run.slice(0, 8)).replace(/\bATTEMPT\b/g, ids.attempt.slice(0, 8));
}
