/** Merges into an attempt's worktree as an act of the journal; what conflicts is taken back before the act ends. */
import { err, ok, type Result } from "neverthrow";
import { type Identity, readIdentity } from "../../git/identity.ts";
import { type AbortMergeError, abortMerge, type MergeOptions, type PullError } from "../../git/pull.ts";
import { readHead } from "../../git/refs.ts";
import type { GitTarget } from "../../git/run-git.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import type { RunWorld } from "../runs/step.ts";
import { clearLeftFiles } from "./clear-left-files.ts";
import { worktreeTarget } from "./targets.ts";

export interface MergeAct {
  /** What is merged, such as `origin/main`; for the journal. */
  readonly revision: string;
  readonly merge: (target: GitTarget, options: MergeOptions) => Promise<Result<void, PullError>>;
}

/**
 * Under the repository's lock, in a worktree that is ready to merge. Files and index are as they were where it fails, so
 * that only a crash can leave a merge of ours half done; recovery knows it by the journal. What a check left is no
 * reason to fail: it goes out of the way.
 */
export async function mergeJournaled(
  context: ServiceContext,
  world: RunWorld,
  act: MergeAct,
): Promise<Result<void, PullError | AbortMergeError>> {
  const merged = await mergeOnce(context, world, act);
  if (merged.isOk() || merged.error.kind !== "local_changes") return merged;
  return (await clearLeftFiles(context, world, merged.error.paths)) ? mergeOnce(context, world, act) : merged;
}

async function mergeOnce(
  context: ServiceContext,
  world: RunWorld,
  act: MergeAct,
): Promise<Result<void, PullError | AbortMergeError>> {
  const target = worktreeTarget(world.attempt);
  const identity = await readIdentity(context.git, target);
  if (identity.isErr()) return err(identity.error);
  const { revision } = act;
  const before = await readHead(context.git, target);
  if (before.isErr()) return err(before.error);
  const merged = await journaled(
    context,
    {
      kind: "merge",
      subject: { type: "run", id: world.run.id },
      before: { revision, branch: world.attempt.branch, sha: before.value.sha },
    },
    () => mergeOrTakeBack(context, target, { act, identity: identity.value, world }),
    (sha) => ({ revision, branch: world.attempt.branch, sha }),
  );
  return merged.map(() => undefined);
}

/** The commit that HEAD is at after it; a fast-forward makes none of its own. */
async function mergeOrTakeBack(
  context: ServiceContext,
  target: GitTarget,
  of: { readonly act: MergeAct; readonly identity: Identity; readonly world: RunWorld },
): Promise<Result<string | null, PullError | AbortMergeError>> {
  const { sign } = of.world.configuration.values;
  const merged = await of.act.merge(target, { identity: of.identity, sign });
  if (merged.isOk())
    return ok((await readHead(context.git, target)).unwrapOr({ sha: null, branch: null }).sha);
  context.failpoint("before:merge_abort");
  const aborted = await abortMerge(context.git, target);
  return err(aborted.isErr() ? aborted.error : merged.error);
}
