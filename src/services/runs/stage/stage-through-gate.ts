/** Stages everything an agent left and lets the publish gate read the list. */
import { err, ok, type Result } from "neverthrow";
import type { GateVerdict } from "../../../domain/publish/gate.ts";
import type { PatchStat } from "../../../domain/run/run.ts";
import { diffFiles } from "../../../git/index/diff.ts";
import { listStaged } from "../../../git/index/list-staged.ts";
import { type StageError, stageAll, writeTree } from "../../../git/index/stage.ts";
import { unstage } from "../../../git/index/unstage.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import type { ServiceContext } from "../../core/context.ts";
import { gitlinksOf } from "../../core/known-trees.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { failed, type RunWorld, type Step } from "../../run-core/step.ts";
import { statOf, takePatch } from "../../run-core/take-patch.ts";
import { changedMeanwhile } from "../prove/prove-commit.ts";
import { judgeIndex } from "./judge-index.ts";

export interface StagedAndJudged {
  readonly verdict: GateVerdict;
  /** The patch of what is staged now. */
  readonly patch: { readonly tree: string; readonly stat: PatchStat };
  /** What is staged now: all that differs from HEAD, except what was left out. */
  readonly paths: readonly string[];
}

/** Runs `git add -A`, gets the verdict on what is staged, and unstages what must not be committed. */
export async function stageThroughGate(
  context: Pick<ServiceContext, "db" | "git" | "knownTrees" | "paths">,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<StagedAndJudged, Step>> {
  const { git } = context;
  const gitlinks = await gitlinksOf(context, target, world.run.startSha ?? "HEAD");
  if (gitlinks.isErr()) return err(gitFailed("stage", gitlinks.error));
  const staged = await stageAll(git, target, { gitlinks: gitlinks.value });
  if (staged.isErr()) return err(stageProblem(staged.error));
  // A tree never changes: the judged tree is the committed one, even if another process writes the index meanwhile.
  const tree = await writeTree(git, target);
  if (tree.isErr()) return err(gitFailed("stage", tree.error));
  // Takes the patch in parallel with the verdict: if the gate leaves nothing out, as usual, the patch is right.
  const [judged, taken] = await Promise.all([
    judgeIndex(context, world, { target, gitlinks: gitlinks.value, tree: tree.value, ...staged.value }),
    takePatch(context, world, target),
  ]);
  if (judged.isErr()) return err(judged.error);
  if (taken.isErr()) return err(taken.error);
  const { verdict, entries, stat } = judged.value;
  const paths = entries.map(({ path }) => path);
  if (verdict.leftOut.length === 0) return ok({ verdict, paths, patch: { tree: tree.value, stat } });
  const leftOut = new Set(verdict.leftOut);
  const patch = await takeWithout(context, world, { target, tree: tree.value, leftOut });
  return patch.map((without) => ({
    verdict,
    paths: paths.filter((path) => !leftOut.has(path)),
    patch: without,
  }));
}

/** The same without what the gate left out: nothing else may differ from what it read. */
async function takeWithout(
  context: Pick<ServiceContext, "git" | "paths">,
  world: RunWorld,
  staged: { readonly target: GitTarget; readonly tree: string; readonly leftOut: ReadonlySet<string> },
): Promise<Result<StagedAndJudged["patch"], Step>> {
  const { target, leftOut } = staged;
  const out = await unstage(context.git, target, [...leftOut]);
  if (out.isErr()) return err(gitFailed("stage", out.error));
  const tree = await writeTree(context.git, target);
  if (tree.isErr()) return err(gitFailed("stage", tree.error));
  const [taken, files, differs] = await Promise.all([
    takePatch(context, world, target),
    diffFiles(context.git, target, { from: world.run.startSha ?? "HEAD", to: tree.value }),
    listStaged(context.git, target, { from: staged.tree, to: tree.value }),
  ]);
  if (taken.isErr()) return err(taken.error);
  if (files.isErr()) return err(gitFailed("stage", files.error));
  if (differs.isErr()) return err(gitFailed("stage", differs.error));
  if (!differs.value.entries.every(({ path }) => leftOut.has(path))) return err(changedMeanwhile(world));
  return ok({ tree: tree.value, stat: statOf(files.value) });
}

/** Files that git refuses are findings of the gate, and no person can allow them. */
function stageProblem(error: StageError): Step {
  if (!("paths" in error)) return gitFailed("stage", error);
  const { kind: rule, message, paths } = error;
  const findings = paths.map((path) => ({ rule, path, message, final: true }));
  return failed("gate_rejected", message, { details: { findings } });
}
