/** Merges what others pushed, and the newest base if asked, into an attempt before a run (seed 003 Phase 4). */
import { err, ok, type Result, safeTry } from "neverthrow";
import { isNamedByUs } from "../../../domain/repository/branch-names.ts";
import { resolvesConflicts } from "../../../domain/run/resolving.ts";
import type { RunNote } from "../../../domain/run/run.ts";
import { unmergedPaths } from "../../../git/index/unmerged.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import { readRef } from "../../../git/refs/refs.ts";
import { isAncestor, isBehindRemote } from "../../../git/refs/rev-list.ts";
import { fetchBranch, unshallow } from "../../../git/remote/fetch.ts";
import { type AbortMergeError, merge, type PullError, pull } from "../../../git/remote/pull.ts";
import type { Remote } from "../../../git/remote/remote.ts";
import { resolveBase } from "../../../git/remote/resolve-base.ts";
import type { Uses, WorktreeContext } from "../../core/context-parts.ts";
import { remotesOf } from "../../repositories/choose-remote.ts";
import { fetchRepository } from "../../repositories/fetch-repository.ts";
import { untilStopped } from "../../repositories/until-stopped.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
import { readMergeHead } from "../../run-core/record-start.ts";
import { failed, note, type RunWorld, type Step } from "../../run-core/step.ts";
import { repositoryTarget, worktreeTarget } from "../../run-core/targets.ts";
import { type Merged, mergeJournaled } from "../../worktrees/merge-journaled.ts";
import { readyToMerge } from "../../worktrees/ready-to-merge.ts";
import { holdsOwnWork, isNeverPushed } from "../publish/claim-name.ts";
import { baseFailed } from "./base-failed.ts";

/**
 * Notes about what was merged and what could not be. After a conflict, the merge is taken back and the run goes on from
 * its own head. If the run is there to resolve it, the merge stays in the worktree for the agent.
 */
export async function syncWorktree(
  context: WorktreeContext & Uses<"shell">,
  world: RunWorld,
): Promise<Result<readonly RunNote[], Step>> {
  return safeTry(async function* () {
    const { repository, configuration, run } = world;
    const remotes = yield* (
      await remotesOf(context, { commonDir: repository.commonDir, configuration })
    ).mapErr(gitFailedAt("fetch"));
    const notes: RunNote[] = [];
    // The conflicting commits are on the remote, even if the attempt began offline.
    const online = !run.offline || resolvesConflicts(run, world.earlier);
    if (remotes !== null && online) {
      const branch = yield* await syncBranch(context, world, remotes.push);
      notes.push(...branch);
    }
    if (run.options.mergeBase === true) {
      const base = yield* await mergeBase(context, world, remotes?.fetch ?? null);
      notes.push(...base);
    }
    return ok(notes);
  });
}

async function syncBranch(
  context: WorktreeContext,
  world: RunWorld,
  remote: Remote,
): Promise<Result<readonly RunNote[], Step>> {
  return safeTry(async function* () {
    const { repository, attempt } = world;
    const { branch } = attempt;
    const asked = context.locks.shared(repository.commonDir, () =>
      fetchBranch(context.git, repositoryTarget(repository), { remote, branch }),
    );
    const fetched = await untilStopped(world.signal, asked);
    if (fetched.isErr())
      return fetched.error.kind === "remote_branch_missing" ? ok([]) : err(gitFailed("fetch", fetched.error));
    const behind = yield* (
      await isBehindRemote(context.git, worktreeTarget(attempt), { remote: remote.name, branch })
    ).mapErr(gitFailedAt("fetch"));
    if (!behind) return ok([]);
    const isOthers = yield* (await madeByOthers(context, world, remote)).mapErr(gitFailedAt("fetch"));
    if (isOthers) return ok([takenNote(world, remote)]);
    const request = { revision: `${remote.name}/${branch}`, pulled: true, source: { remote, branch } };
    return mergeIn(context, world, request);
  });
}

/** Before its first push an attempt has no branch on the remote, unless the answer to a push was lost. */
async function madeByOthers(
  context: Uses<"git">,
  world: RunWorld,
  remote: Remote,
): Promise<Result<boolean, GitError>> {
  if (!isNeverPushed(world)) return ok(false);
  const { git } = context;
  const target = repositoryTarget(world.repository);
  const { branch } = world.attempt;
  const remoteTip = await readRef(git, target, `refs/remotes/${remote.name}/${branch}`);
  const localTip = await readRef(git, target, `refs/heads/${branch}`);
  if (remoteTip.isErr()) return err(remoteTip.error);
  if (localTip.isErr()) return err(localTip.error);
  if (remoteTip.value === null || localTip.value === null) return ok(false);
  const own = await holdsOwnWork(context, world, { head: remoteTip.value, sha: localTip.value });
  return own.map((is) => !is);
}

function takenNote({ attempt }: RunWorld, remote: Remote): RunNote {
  const from = `${remote.name}/${attempt.branch}`;
  const message = `Another person made ${from} meanwhile: it was not merged. The first push gives this attempt's branch another name.`;
  return note("branch_taken", message, { from });
}

/** Merges the current base of the remote (or, without a remote, of the repository). */
async function mergeBase(
  context: WorktreeContext & Uses<"shell">,
  world: RunWorld,
  remote: Remote | null,
): Promise<Result<readonly RunNote[], Step>> {
  return safeTry(async function* () {
    const { repository, attempt, run, configuration } = world;
    const { branch } = attempt.base;
    if (branch === null || branch === "HEAD")
      return ok([note("no_base", "The attempt has no base branch to merge.")]);
    if (!run.offline) {
      yield* (await fetchRepository(context, repository, { remote, signal: world.signal })).mapErr(
        gitFailedAt("fetch"),
      );
    }
    const isOurs = (name: string) => isNamedByUs(name, configuration.values.branch);
    const question = { remote, branch, online: !run.offline, isOurs };
    const { ref, sha } = yield* (
      await context.locks.shared(repository.commonDir, () =>
        resolveBase(context.git, repositoryTarget(repository), question),
      )
    ).mapErr((error) => baseFailed(error, remote?.name ?? null));
    const known = yield* (
      await isAncestor(context.git, worktreeTarget(attempt), { ancestor: sha, descendant: "HEAD" })
    ).mapErr(gitFailedAt("worktree"));
    if (known) return ok([]);
    const source = remote === null ? null : { remote, branch };
    return mergeIn(context, world, { revision: ref, pulled: false, source });
  });
}

interface MergeRequest {
  readonly revision: string;
  /** Whether it is pulled from its source; else it is merged as it is here. */
  readonly pulled: boolean;
  /** The source of the revision; null if it exists only in this repository. */
  readonly source: { readonly remote: Remote; readonly branch: string } | null;
}

async function mergeIn(
  context: WorktreeContext,
  world: RunWorld,
  request: MergeRequest,
): Promise<Result<readonly RunNote[], Step>> {
  const ready = await readyToMerge(context, world);
  if (ready.isErr()) return err(ready.error);
  if (ready.value !== null) {
    const { revision } = request;
    return notReady(context, world, { revision, operation: ready.value });
  }
  const first = await mergeOnce(context, world, request);
  const deepen = first.isErr() && first.error.kind === "unrelated_histories" && request.source !== null;
  const merged = deepen ? await afterDeepening(context, world, request) : first;
  if (merged.isOk()) return ok([await mergedNote(world, request.revision, merged.value)]);
  const { error } = merged;
  if (error.kind === "conflict") return ok([conflictNote(world, request, error.paths)]);
  if (error.kind === "local_changes")
    return ok([
      note("sync_postponed", `${request.revision} was not merged: uncommitted files would be overwritten.`, {
        paths: error.paths,
      }),
    ]);
  return err(gitFailed("fetch", error));
}

/** The agent must resolve a merge in progress first; nothing else can be merged before. */
async function notReady(
  context: Uses<"git">,
  world: RunWorld,
  { revision, operation }: { readonly revision: string; readonly operation: string },
): Promise<Result<readonly RunNote[], Step>> {
  const message = `${revision} was not merged: a ${operation} goes on in the worktree.`;
  const resolves = resolvesConflicts(world.run, world.earlier);
  if (resolves && operation !== "merge") return err(failed("conflict", message, { details: { operation } }));
  const target = worktreeTarget(world.attempt);
  const wanted = await readRef(context.git, target, `${revision}^{commit}`);
  if (wanted.isErr()) return err(gitFailed("worktree", wanted.error));
  if (!resolves || wanted.value === null || wanted.value !== (await readMergeHead(target.gitDir)))
    return ok([note("sync_postponed", message)]);
  const unmerged = await unmergedPaths(context.git, target);
  if (unmerged.isErr()) return err(gitFailed("worktree", unmerged.error));
  return ok([begunNote(revision, { sha: wanted.value, paths: unmerged.value })]);
}

async function mergedNote({ attempt }: RunWorld, revision: string, merged: Merged): Promise<RunNote> {
  const { conflicts: paths } = merged;
  if (paths.length === 0) return note("synced", `${revision} was merged into the branch.`);
  return begunNote(revision, { sha: await readMergeHead(worktreeTarget(attempt).gitDir), paths });
}

function begunNote(
  revision: string,
  merged: { readonly sha: string | null; readonly paths: readonly string[] },
): RunNote {
  const files = merged.paths.length === 1 ? "1 file conflicts" : `${merged.paths.length} files conflict`;
  const message = `The merge of ${revision} was begun, and ${files}: the agent is asked to resolve them.`;
  return note("merge_begun", message, { revision, ...merged });
}

function conflictNote(
  { attempt, run }: RunWorld,
  { revision, pulled }: MergeRequest,
  paths: readonly string[],
) {
  const again = `tazuna continue ${attempt.id.slice(0, 8)}${pulled ? "" : " --merge-base"} --resolve`;
  const how = run.kind === "agent" ? ` \`${again}\` lets the agent resolve it.` : "";
  const message = `${revision} conflicts with this branch and was not merged; the run goes on from its own head.${how}`;
  return note("sync_conflict", message, { paths });
}

function mergeOnce(
  context: WorktreeContext,
  world: RunWorld,
  { revision, pulled, source }: MergeRequest,
): Promise<Result<Merged, PullError | AbortMergeError>> {
  return context.locks.shared(world.repository.commonDir, () =>
    mergeJournaled(context, world, {
      revision,
      conflicts: resolvesConflicts(world.run, world.earlier) ? "stay" : "taken_back",
      merge: (target, options) =>
        pulled && source !== null
          ? pull(context.git, target, { ...options, remote: source.remote.name, branch: source.branch })
          : merge(context.git, target, { ...options, revision }),
    }),
  );
}

/** A shallow clone may lack the common commit: everything is fetched once, then the merge is tried again. */
async function afterDeepening(
  context: WorktreeContext,
  world: RunWorld,
  request: MergeRequest,
): Promise<Result<Merged, PullError | AbortMergeError>> {
  const { source } = request;
  if (source === null) return mergeOnce(context, world, request);
  const deepened = await context.locks.shared(world.repository.commonDir, () =>
    unshallow(context.git, repositoryTarget(world.repository), source),
  );
  return deepened.isErr() ? err(deepened.error) : mergeOnce(context, world, request);
}
