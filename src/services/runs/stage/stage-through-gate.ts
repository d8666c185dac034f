/** Stages everything an agent left and lets the publish gate read the list. */
import { err, ok, Result, safeTry } from "neverthrow";
import type { GateVerdict } from "../../../domain/publish/gate.ts";
import type { PatchStat } from "../../../domain/run/run.ts";
import { diffFiles } from "../../../git/index/diff.ts";
import { listStaged } from "../../../git/index/list-staged.ts";
import { type StageError, stageAll, writeTree } from "../../../git/index/stage.ts";
import { unstage } from "../../../git/index/unstage.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import type { Uses } from "../../core/context-parts.ts";
import { gitlinksOf } from "../../core/known-trees.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
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
  context: Uses<"db" | "git" | "knownTrees" | "paths">,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<StagedAndJudged, Step>> {
  return safeTry(async function* () {
    const { git } = context;
    const gitlinks = yield* (await gitlinksOf(context, target, world.run.startSha ?? "HEAD")).mapErr(
      gitFailedAt("stage"),
    );
    const staged = yield* (await stageAll(git, target, { gitlinks })).mapErr(stageProblem);
    // A tree never changes: the judged tree is the committed one, even if another process writes the index meanwhile.
    const tree = yield* (await writeTree(git, target)).mapErr(gitFailedAt("stage"));
    // Takes the patch in parallel with the verdict: if the gate leaves nothing out, as usual, the patch is right.
    const [{ verdict, entries, stat }] = yield* Result.combine(
      await Promise.all([
        judgeIndex(context, world, { target, gitlinks, tree, ...staged }),
        takePatch(context, world, target),
      ]),
    );
    const paths = entries.map(({ path }) => path);
    if (verdict.leftOut.length === 0) return ok({ verdict, paths, patch: { tree, stat } });
    const leftOut = new Set(verdict.leftOut);
    const patch = await takeWithout(context, world, { target, tree, leftOut });
    return patch.map((without) => ({
      verdict,
      paths: paths.filter((path) => !leftOut.has(path)),
      patch: without,
    }));
  });
}

/** The same without what the gate left out: nothing else may differ from what it read. */
async function takeWithout(
  context: Uses<"git" | "paths">,
  world: RunWorld,
  staged: { readonly target: GitTarget; readonly tree: string; readonly leftOut: ReadonlySet<string> },
): Promise<Result<StagedAndJudged["patch"], Step>> {
  return safeTry(async function* () {
    const { target, leftOut } = staged;
    yield* (await unstage(context.git, target, [...leftOut])).mapErr(gitFailedAt("stage"));
    const tree = yield* (await writeTree(context.git, target)).mapErr(gitFailedAt("stage"));
    const [taken, ...read] = await Promise.all([
      takePatch(context, world, target),
      diffFiles(context.git, target, { from: world.run.startSha ?? "HEAD", to: tree }),
      listStaged(context.git, target, { from: staged.tree, to: tree }),
    ]);
    yield* taken;
    const [files, differs] = yield* Result.combine(read).mapErr(gitFailedAt("stage"));
    if (!differs.entries.every(({ path }) => leftOut.has(path))) return err(changedMeanwhile(world));
    return ok({ tree, stat: statOf(files) });
  });
}

/** Files that git refuses are findings of the gate, and no person can allow them. */
function stageProblem(error: StageError): Step {
  if (!("paths" in error)) return gitFailed("stage", error);
  const { kind: rule, message, paths } = error;
  const findings = paths.map((path) => ({ rule, path, message, final: true }));
  return failed("gate_rejected", message, { details: { findings } });
}
