/** Stages everything the agent left, lets the publish gate read the list, and takes the patch (seed 003 Phase 3). */
import { rm } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { mergeDecided } from "../../../domain/run/resolving.ts";
import type { RunNote } from "../../../domain/run/run.ts";
import { someOf } from "../../../domain/text/listed.ts";
import { listStaged } from "../../../git/index/list-staged.ts";
import { unstageAll } from "../../../git/index/unstage.ts";
import { keepRunTree } from "../../../git/refs/run-trees.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import type { ConfinedContext, Uses } from "../../core/context-parts.ts";
import { lfsOfStaged } from "../../core/known-trees.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
import { readMergeHead, readStart } from "../../run-core/record-start.ts";
import { failed, note, type RunWorld, type Step, stepOf } from "../../run-core/step.ts";
import { patchFile } from "../../run-core/take-patch.ts";
import { worktreeTarget } from "../../run-core/targets.ts";
import { findingNotes, gateRejected } from "../../run-core/tell-findings.ts";
import { trustFailure } from "../../trust/trust-failure.ts";
import { hiddenFilesNote } from "./hidden-files.ts";
import { runHook } from "./run-hook.ts";
import { type StagedAndJudged, stageThroughGate } from "./stage-through-gate.ts";
import { unpublishedMerge } from "./unpublished-merge.ts";

/** STAGING (staging): ends with the staged tree and its patch, with no changes, or with the gate's findings. */
export async function stageRun(
  context: ConfinedContext & Uses<"knownTrees">,
  world: RunWorld,
): Promise<Step> {
  return stepOf(async function* () {
    const untrusted = await trustFailure(context, world, { only: "loosened" });
    if (untrusted !== null) return { event: "fail", failure: untrusted };
    const target = worktreeTarget(world.attempt);
    const staged = yield* await stageWithHook(context, world, target);
    const { verdict } = staged;
    if (verdict.rejected) return reject(context, world, { ...staged, target });
    const more = world.run.options.recheck === true ? staged.paths : [];
    if (more.length > 0) return leaveUncommitted(context, target, more);
    const decided = yield* await decidedNote(context, world, { target, tree: staged.patch.tree });
    const hidden = yield* (await hiddenFilesNote(context, world, target)).mapErr(gitFailedAt("stage"));
    const notes = [...decided, ...findingNotes(world, verdict.findings), ...hidden];
    const { tree, stat } = staged.patch;
    // Read in parallel with the reference: the commit needs the LFS facts.
    const [kept] = await Promise.all([
      keepRunTree(context.git, target, { run: world.run.id, side: "after", tree }),
      lfsOfStaged(context, target, { tree, start: world.run.startSha ?? tree, paths: staged.paths }),
    ]);
    yield* kept.mapErr(gitFailedAt("stage"));
    const merging = world.attempt.gitDir !== null && (await readMergeHead(world.attempt.gitDir)) !== null;
    const merge = stat.files === 0 && !merging ? await unpublishedMerge(context, world) : null;
    if (merge?.isErr()) return gitFailed("stage", merge.error);
    if (merge?.isOk() && merge.value === null && world.run.options.recheck !== true)
      return { event: "nothing_changed", run: { tree, patch: stat, outcome: "no_changes" }, notes };
    return { event: "staged", run: { tree, patch: stat }, notes };
  });
}

/**
 * A merge may have taken conflicting files without markers. They are reported: the agent may have left one as it was.
 */
async function decidedNote(
  context: Uses<"git" | "paths">,
  world: RunWorld,
  { target, tree }: { readonly target: GitTarget; readonly tree: string },
): Promise<Result<readonly RunNote[], Step>> {
  const start = await readStart(context, world.run.id);
  const whole = (start?.conflicts ?? []).filter(({ marked }) => !marked);
  if (start === null || whole.length === 0) return ok([]);
  const listed = await listStaged(context.git, target, { from: start.sha, to: tree });
  if (listed.isErr()) return err(gitFailed("stage", listed.error));
  const changed = new Map(listed.value.entries.map(({ path, sha }) => [path, sha]));
  const ours = new Map(whole.map((each) => [each.path, each.ours]));
  const taken = (path: string) => (changed.has(path) ? changed.get(path) : ours.get(path)) ?? null;
  const message = mergeDecided(whole, taken);
  return ok(message === null ? [] : [note("merge_decided", message, { paths: [...ours.keys()] })]);
}

/** The gate reads the list again after the repository's own pre-commit hook, which may change files. */
async function stageWithHook(
  context: ConfinedContext & Uses<"knownTrees">,
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

/** A run that only checks makes no commit: what came after it was asked for stays as it is. */
async function leaveUncommitted(
  context: Uses<"git">,
  target: GitTarget,
  paths: readonly string[],
): Promise<Step> {
  const out = await unstageAll(context.git, target);
  if (out.isErr()) return gitFailed("stage", out.error);
  return failed("commit_failed", `The worktree holds what no commit has: ${someOf(paths, 3)}.`, {
    details: { paths: paths.slice(0, 100) },
    remedy: "`tazuna continue {attempt}` commits and checks that. {kept}",
  });
}

/** Rejected changes stay in the worktree, unstaged. Their patch could hold a credential, so it is deleted. */
async function reject(
  context: Uses<"git" | "paths">,
  world: RunWorld,
  { target, verdict }: StagedAndJudged & { readonly target: GitTarget },
): Promise<Step> {
  const out = await unstageAll(context.git, target);
  if (out.isErr()) return gitFailed("stage", out.error);
  await rm(patchFile(context, world.run.id), { force: true });
  const { findings } = verdict;
  return gateRejected(world, { findings, notes: findingNotes(world, findings) });
}
