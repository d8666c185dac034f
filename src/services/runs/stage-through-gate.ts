/** Stages everything an agent left and lets the publish gate read the list. */
import { err, type Result } from "neverthrow";
import type { GateVerdict } from "../../domain/publish/gate.ts";
import type { PatchStat } from "../../domain/run/run.ts";
import { diffFiles } from "../../git/diff.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { type StageError, stageAll, unstage } from "../../git/stage.ts";
import type { ServiceContext } from "../context.ts";
import { gitlinksOf } from "../worktrees/known-trees.ts";
import { gitFailed } from "./git-failure.ts";
import { judgeIndex } from "./judge-index.ts";
import { failed, type RunWorld, type Step } from "./step.ts";
import { statOf, takePatch } from "./take-patch.ts";

export interface StagedAndJudged {
  readonly verdict: GateVerdict;
  /** Of what is staged now. */
  readonly patch: { readonly tree: string; readonly stat: PatchStat };
  /** What is staged now: all that differs from HEAD, but for what was left out. */
  readonly paths: readonly string[];
}

/** `git add -A`, the verdict on what is staged, and out again with what must not be committed. */
export async function stageThroughGate(
  context: ServiceContext,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<StagedAndJudged, Step>> {
  const { git } = context;
  const gitlinks = await gitlinksOf(context, target, world.run.startSha ?? "HEAD");
  if (gitlinks.isErr()) return err(gitFailed("stage", gitlinks.error));
  const staged = await stageAll(git, target, { gitlinks: gitlinks.value });
  if (staged.isErr()) return err(stageProblem(staged.error));
  // The patch is taken beside the verdict: nearly always the gate leaves nothing out, and then it holds.
  const [judged, tree] = await Promise.all([
    judgeIndex(context, world, { target, gitlinks: gitlinks.value }),
    takePatch(context, world, target),
  ]);
  if (judged.isErr()) return err(judged.error);
  const { verdict, entries, files } = judged.value;
  const paths = entries.map(({ path }) => path);
  if (verdict.leftOut.length === 0)
    return tree.map((taken) => ({ verdict, paths, patch: { tree: taken, stat: statOf(files) } }));
  const out = await unstage(git, target, verdict.leftOut);
  if (out.isErr()) return err(gitFailed("stage", out.error));
  const leftOut = new Set(verdict.leftOut);
  const patch = await takeAgain(context, world, target);
  return patch.map((taken) => ({ verdict, paths: paths.filter((path) => !leftOut.has(path)), patch: taken }));
}

async function takeAgain(
  context: ServiceContext,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<StagedAndJudged["patch"], Step>> {
  const [tree, files] = await Promise.all([
    takePatch(context, world, target),
    diffFiles(context.git, target, "staged"),
  ]);
  if (files.isErr()) return err(gitFailed("stage", files.error));
  return tree.map((taken) => ({ tree: taken, stat: statOf(files.value) }));
}

/** What git itself does not take is a finding of the gate, and none that a person could allow. */
function stageProblem(error: StageError): Step {
  if (!("paths" in error)) return gitFailed("stage", error);
  const { kind: rule, message, paths } = error;
  const findings = paths.map((path) => ({ rule, path, message, final: true }));
  return failed("gate_rejected", message, { details: { findings } });
}
