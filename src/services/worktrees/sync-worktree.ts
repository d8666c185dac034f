/** Merges what others pushed to an attempt's branch (and, where asked, the newest base) before its next run. */
import { err, ok, type Result } from "neverthrow";
import { isNamedByUs } from "../../domain/run/naming.ts";
import type { RunNote } from "../../domain/run/run.ts";
import { fetchBranch, unshallow } from "../../git/fetch.ts";
import { type AbortMergeError, merge, type PullError, pull } from "../../git/pull.ts";
import type { Remote } from "../../git/remote.ts";
import { resolveBase } from "../../git/resolve-base.ts";
import { isAncestor, isBehindRemote } from "../../git/rev-list.ts";
import type { ServiceContext } from "../context.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { fetchRepository } from "../repositories/fetch-repository.ts";
import { untilStopped } from "../repositories/until-stopped.ts";
import { baseFailed } from "../runs/base-failed.ts";
import { gitFailed } from "../runs/git-failure.ts";
import { note, type RunWorld, type Step } from "../runs/step.ts";
import { mergeJournaled } from "./merge-journaled.ts";
import { readyToMerge } from "./ready-to-merge.ts";
import { repositoryTarget, worktreeTarget } from "./targets.ts";

/** Notes about what could not be merged; a conflict is taken back and the run goes on from its own head. */
export async function syncWorktree(
  context: ServiceContext,
  world: RunWorld,
): Promise<Result<readonly RunNote[], Step>> {
  const { repository, configuration, run } = world;
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  if (remotes.isErr()) return err(gitFailed("fetch", remotes.error));
  const notes: RunNote[] = [];
  if (remotes.value !== null && !run.offline) {
    const branch = await syncBranch(context, world, remotes.value.push);
    if (branch.isErr()) return err(branch.error);
    notes.push(...branch.value);
  }
  if (run.options.mergeBase === true) {
    const base = await mergeBase(context, world, remotes.value?.fetch ?? null);
    if (base.isErr()) return err(base.error);
    notes.push(...base.value);
  }
  return ok(notes);
}

async function syncBranch(
  context: ServiceContext,
  world: RunWorld,
  remote: Remote,
): Promise<Result<readonly RunNote[], Step>> {
  const { repository, attempt } = world;
  const { branch } = attempt;
  const asked = context.locks.shared(repository.commonDir, () =>
    fetchBranch(context.git, repositoryTarget(repository), { remote, branch }),
  );
  const fetched = await untilStopped(world.signal, asked);
  if (fetched.isErr())
    return fetched.error.kind === "remote_branch_missing" ? ok([]) : err(gitFailed("fetch", fetched.error));
  const behind = await isBehindRemote(context.git, worktreeTarget(attempt), { remote: remote.name, branch });
  if (behind.isErr()) return err(gitFailed("fetch", behind.error));
  if (!behind.value) return ok([]);
  const wish = { revision: `${remote.name}/${branch}`, pulled: true, source: { remote, branch } };
  return mergeIn(context, world, wish);
}

/** Merges the base as the remote (or, without one, the repository) has it now. */
async function mergeBase(
  context: ServiceContext,
  world: RunWorld,
  remote: Remote | null,
): Promise<Result<readonly RunNote[], Step>> {
  const { repository, attempt, run, configuration } = world;
  const { branch } = attempt.base;
  if (branch === null || branch === "HEAD")
    return ok([note("no_base", "The attempt has no base branch to merge.")]);
  if (!run.offline) {
    const fetched = await fetchRepository(context, repository, { remote, signal: world.signal });
    if (fetched.isErr()) return err(gitFailed("fetch", fetched.error));
  }
  const isOurs = (name: string) => isNamedByUs(name, configuration.values.branch);
  const question = { remote, branch, online: !run.offline, isOurs };
  const base = await context.locks.shared(repository.commonDir, () =>
    resolveBase(context.git, repositoryTarget(repository), question),
  );
  if (base.isErr()) return err(baseFailed(base.error));
  const { ref, sha } = base.value;
  const known = await isAncestor(context.git, worktreeTarget(attempt), { ancestor: sha, of: "HEAD" });
  if (known.isErr()) return err(gitFailed("worktree", known.error));
  if (known.value) return ok([]);
  const source = remote === null ? null : { remote, branch };
  return mergeIn(context, world, { revision: ref, pulled: false, source });
}

interface MergeWish {
  readonly revision: string;
  /** Pulled from its source, else merged as it is here. */
  readonly pulled: boolean;
  /** Where the revision comes from; null where it is of this repository alone. */
  readonly source: { readonly remote: Remote; readonly branch: string } | null;
}

async function mergeIn(
  context: ServiceContext,
  world: RunWorld,
  wish: MergeWish,
): Promise<Result<readonly RunNote[], Step>> {
  const ready = await readyToMerge(context, world);
  if (ready.isErr()) return err(ready.error);
  if (ready.value !== null)
    return ok([
      note("sync_postponed", `${wish.revision} was not merged: a ${ready.value} goes on in the worktree.`),
    ]);
  const first = await mergeOnce(context, world, wish);
  const deepen = first.isErr() && first.error.kind === "unrelated_histories" && wish.source !== null;
  const merged = deepen ? await afterDeepening(context, world, wish) : first;
  if (merged.isOk()) return ok([note("synced", `${wish.revision} was merged into the branch.`)]);
  if (merged.error.kind === "conflict")
    return ok([
      note(
        "sync_conflict",
        `${wish.revision} conflicts with this branch and was not merged; the run goes on from its own head.`,
        {
          paths: merged.error.paths,
        },
      ),
    ]);
  if (merged.error.kind === "local_changes")
    return ok([
      note("sync_postponed", `${wish.revision} was not merged: uncommitted files would be overwritten.`, {
        paths: merged.error.paths,
      }),
    ]);
  return err(gitFailed("fetch", merged.error));
}

function mergeOnce(
  context: ServiceContext,
  world: RunWorld,
  { revision, pulled, source }: MergeWish,
): Promise<Result<void, PullError | AbortMergeError>> {
  return context.locks.shared(world.repository.commonDir, () =>
    mergeJournaled(context, world, {
      revision,
      merge: (target, options) =>
        pulled && source !== null
          ? pull(context.git, target, { ...options, remote: source.remote.name, branch: source.branch })
          : merge(context.git, target, { ...options, revision }),
    }),
  );
}

/** A shallow clone may lack the common commit: everything is fetched once, then it is tried again. */
async function afterDeepening(
  context: ServiceContext,
  world: RunWorld,
  wish: MergeWish,
): Promise<Result<void, PullError | AbortMergeError>> {
  const { source } = wish;
  if (source === null) return mergeOnce(context, world, wish);
  const deepened = await context.locks.shared(world.repository.commonDir, () =>
    unshallow(context.git, repositoryTarget(world.repository), source),
  );
  return deepened.isErr() ? err(deepened.error) : mergeOnce(context, world, wish);
}
