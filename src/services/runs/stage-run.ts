/** Stages everything the agent left, lets the publish gate read the list, and takes the patch (seed 003, phase 3). */
import { rm } from "node:fs/promises";
import { err, type Result } from "neverthrow";
import type { GitTarget } from "../../git/run-git.ts";
import { keepRunTree } from "../../git/run-trees.ts";
import { unstageAll } from "../../git/unstage.ts";
import type { ServiceContext } from "../context.ts";
import { lfsOfStaged } from "../worktrees/known-trees.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import { gitFailed } from "./git-failure.ts";
import { readMergeHead } from "./record-start.ts";
import { runHook } from "./run-hook.ts";
import { type StagedAndJudged, stageThroughGate } from "./stage-through-gate.ts";
import type { RunWorld, Step } from "./step.ts";
import { patchFile } from "./take-patch.ts";
import { findingNotes, gateRejected } from "./tell-findings.ts";

/** STAGING (staging): ends with the staged tree and its patch, with nothing changed, or with what the gate found. */
export async function stageRun(context: ServiceContext, world: RunWorld): Promise<Step> {
  const target = worktreeTarget(world.attempt);
  const staged = await stageWithHook(context, world, target);
  if (staged.isErr()) return staged.error;
  const { verdict } = staged.value;
  if (verdict.rejected) return reject(context, world, { ...staged.value, target });
  const notes = findingNotes(world, verdict.findings);
  const { tree, stat } = staged.value.patch;
  // Asked beside the reference, since the commit will want to know.
  const [kept] = await Promise.all([
    keepRunTree(context.git, target, { run: world.run.id, side: "after", tree }),
    lfsOfStaged(context, target, { tree, start: world.run.startSha ?? tree, paths: staged.value.paths }),
  ]);
  if (kept.isErr()) return gitFailed("stage", kept.error);
  const merging = world.attempt.gitDir !== null && (await readMergeHead(world.attempt.gitDir)) !== null;
  if (stat.files === 0 && !merging)
    return { event: "nothing_changed", run: { tree, patch: stat, outcome: "no_changes" }, notes };
  return { event: "staged", run: { tree, patch: stat }, notes };
}

/** The gate reads the list again after the repository's own pre-commit hook, which may change files. */
async function stageWithHook(
  context: ServiceContext,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<StagedAndJudged, Step>> {
  const first = await stageThroughGate(context, world, target);
  if (first.isErr() || first.value.verdict.rejected || world.configuration.values.hooks === "off")
    return first;
  const changed = new Set(first.value.paths);
  if (changed.size === 0) return first;
  const stopped = await runHook(context, world, { name: "pre-commit", args: [], changed, target });
  return stopped === null ? stageThroughGate(context, world, target) : err(stopped);
}

/** What was rejected stays in the worktree, staged nowhere; a patch of it could hold a credential, and goes. */
async function reject(
  context: ServiceContext,
  world: RunWorld,
  { target, verdict }: StagedAndJudged & { readonly target: GitTarget },
): Promise<Step> {
  const out = await unstageAll(context.git, target);
  if (out.isErr()) return gitFailed("stage", out.error);
  await rm(patchFile(context, world.run.id), { force: true });
  const { findings } = verdict;
  return gateRejected(world, { findings, notes: findingNotes(world, findings) });
}
