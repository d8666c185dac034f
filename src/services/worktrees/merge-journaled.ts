/** Merges into an attempt's worktree as a journaled act; takes back conflicts, or what a crash left half done. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { readHead } from "../../git/refs/refs.ts";
import {
  type AbortMergeError,
  abortMerge,
  type MergeOptions,
  mergeInProgress,
  type PullError,
} from "../../git/remote/pull.ts";
import { type Identity, readIdentity } from "../../git/repository/identity.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import { putBack } from "../../git/worktree/restore-files.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { getRun } from "../../storage/tables/runs.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { holderOf } from "../core/held-elsewhere.ts";
import { journaled } from "../core/journal.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import type { RunWorld } from "../run-core/step.ts";
import { worktreeTarget } from "../run-core/targets.ts";
import { leftUntouched } from "./left-by-setup.ts";

interface MergeAct {
  /** What is merged, such as `origin/main`; for the journal. */
  readonly revision: string;
  readonly merge: (target: GitTarget, options: MergeOptions) => Promise<Result<void, PullError>>;
  /**
   * `stay`: conflicts are left in the worktree, and the merge goes on. Else the merge is taken back, and is an error.
   */
  readonly conflicts: "stay" | "taken_back";
}

/** The result of a merge that did not fail. */
export interface Merged {
  /** The commit of HEAD; a fast-forward makes none of its own. */
  readonly sha: string | null;
  /** The files that conflict; empty if the merge is done. */
  readonly conflicts: readonly string[];
}

/**
 * Call it under the repository's lock, in a worktree that is ready to merge. If it fails, files and index are as they
 * were. If a crash interrupted a merge, its entry never ended, and recovery takes it back. Files that a check left are
 * no reason to fail: they are moved out of the way.
 */
export async function mergeJournaled(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
  act: MergeAct,
): Promise<Result<Merged, PullError | AbortMergeError>> {
  const merged = await mergeOnce(context, world, act);
  if (merged.isOk() || merged.error.kind !== "local_changes") return merged;
  return (await clearLeftFiles(context, world, merged.error.paths)) ? mergeOnce(context, world, act) : merged;
}

async function mergeOnce(
  context: GitContext,
  world: RunWorld,
  act: MergeAct,
): Promise<Result<Merged, PullError | AbortMergeError>> {
  const target = worktreeTarget(world.attempt);
  const identity = await readIdentity(context.git, target);
  if (identity.isErr()) return err(identity.error);
  const { revision } = act;
  const before = await readHead(context.git, target);
  if (before.isErr()) return err(before.error);
  return journaled(
    context,
    {
      kind: "merge",
      subject: { type: "run", id: world.run.id },
      before: { revision, branch: world.attempt.branch, sha: before.value.sha },
    },
    () => mergeOrTakeBack(context, target, { act, identity: identity.value, world }),
    ({ sha, conflicts }) => {
      const after = { revision, branch: world.attempt.branch, sha };
      return conflicts.length === 0 ? after : { ...after, conflicts };
    },
  );
}

async function mergeOrTakeBack(
  context: Uses<"git" | "failpoint">,
  target: GitTarget,
  planned: { readonly act: MergeAct; readonly identity: Identity; readonly world: RunWorld },
): Promise<Result<Merged, PullError | AbortMergeError>> {
  const { sign } = planned.world.configuration.values;
  const merged = await planned.act.merge(target, { identity: planned.identity, sign });
  const stays = merged.isErr() && merged.error.kind === "conflict" && planned.act.conflicts === "stay";
  if (merged.isOk() || stays) {
    const { sha } = (await readHead(context.git, target)).unwrapOr({ sha: null });
    return ok({ sha, conflicts: merged.isErr() && "paths" in merged.error ? merged.error.paths : [] });
  }
  context.failpoint("before:merge_abort");
  const aborted = await abortMerge(context.git, target);
  return err(aborted.isErr() ? aborted.error : merged.error);
}

/**
 * Takes files that a check or the setup left, and no others, out of a merge's way. True if all of `paths` were such
 * files and are now as HEAD has them. The snapshot that is taken before every merge (`readyToMerge`) holds them.
 */
async function clearLeftFiles(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
  paths: readonly string[],
): Promise<boolean> {
  const left = paths.length === 0 ? new Set() : await leftUntouched(context, world.attempt);
  if (paths.length === 0 || !paths.every((path) => left.has(path))) return false;
  const cleared = await journaled(
    context,
    { kind: "left_files_cleared", subject: { type: "run", id: world.run.id }, before: { paths } },
    () => putBack(context.git, worktreeTarget(world.attempt), paths),
    () => ({ paths }),
  );
  return cleared.isOk();
}

/**
 * Takes back a merge of ours that a crash left half done. For a run whose journal still intends a merge: nothing else
 * went on in its worktree when that merge began. A person may have worked on the conflicts since then, so everything is
 * kept first. Throws if it cannot be taken back.
 */
export async function takeBackMerge(context: GitContext, runId: string): Promise<void> {
  const run = await getRun(context.db.reader, runId);
  const attempt = run && (await getAttempt(context.db.reader, run.attemptId));
  if (!attempt || attempt.gitDir === null || (await holderOf(context, attempt.id)) !== null) return;
  const target = worktreeTarget(attempt);
  const taken = await safeTry(async function* () {
    if (!(yield* await mergeInProgress(context.git, target))) return ok(undefined);
    yield* await keepSnapshot(context, { attempt, run }, { reason: "merge_interrupted" });
    return abortMerge(context.git, target);
  });
  if (taken.isErr()) throw new Error(taken.error.message);
}
