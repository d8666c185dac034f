/** Stages everything an agent left and lets the publish gate read the list. */
import { err, type Result } from "neverthrow";
import { type GateVerdict, judgeStaged, type StagedPath } from "../../domain/publish/gate.ts";
import { type LeftFile, stillLeft } from "../../domain/publish/left-files.ts";
import type { PatchStat } from "../../domain/run/run.ts";
import { diffFiles } from "../../git/diff.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { type FileMode, listStaged, type StagedEntry, stageAll, unstage } from "../../git/stage.ts";
import { dirtySubmodules } from "../../git/submodule.ts";
import { leftByChecksOf } from "../../storage/checks.ts";
import type { ServiceContext } from "../context.ts";
import { copiedFiles } from "../worktrees/copied-files.ts";
import { gitlinksOf } from "../worktrees/known-trees.ts";
import { gatePolicy } from "./gate-policy.ts";
import { gitFailed } from "./git-failure.ts";
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
  // The patch is taken beside the list: nearly always the gate leaves nothing out, and then it holds.
  const [listed, dirty, tree] = await Promise.all([
    listStaged(git, target),
    dirtySubmodules(git, target, gitlinks.value),
    takePatch(context, world, target),
  ]);
  if (listed.isErr()) return err(gitFailed("stage", listed.error));
  if (dirty.isErr()) return err(gitFailed("stage", dirty.error));
  const { entries, files } = listed.value;
  const verdict = await judge(context, world, {
    entries,
    dirtySubmodules: dirty.value.map(({ path }) => path),
  });
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

async function judge(
  context: ServiceContext,
  world: RunWorld,
  of: { readonly entries: readonly StagedEntry[]; readonly dirtySubmodules: readonly string[] },
): Promise<GateVerdict> {
  return judgeStaged(
    {
      staged: of.entries.map(stagedPath),
      nestedRepositories: of.entries.filter(isNestedRepository).map(({ path }) => path),
      dirtySubmodules: of.dirtySubmodules,
      copiedIn: await copiedFiles(context, world.attempt.id),
      leftByChecks: stillLeft(
        of.entries.map(leftFile),
        await leftByChecksOf(context.db.reader, world.attempt.id),
      ),
    },
    gatePolicy(world.configuration),
  );
}

/** A repository that the agent made inside the worktree: git stages a bare commit id where HEAD has nothing. */
function isNestedRepository(entry: StagedEntry): boolean {
  return entry.mode === "160000" && entry.previousMode === null;
}

function leftFile({ path, previousMode, previousSha, mode, sha }: StagedEntry): LeftFile {
  const state = (is: FileMode | null, id: string | null) => (is && id ? { mode: is, sha: id } : null);
  return { path, was: state(previousMode, previousSha), now: state(mode, sha) };
}

function stagedPath(entry: StagedEntry): StagedPath {
  return {
    path: entry.path,
    change: entry.status === "unmerged" ? "modified" : entry.status,
    inHead: entry.previousMode !== null,
    mode: entry.mode ?? "000000",
    bytes: entry.size,
  };
}

/** An agent's repository inside the worktree is a finding of the gate even where git itself stumbles over it. */
function stageProblem(error: { readonly kind: string; readonly message: string }): Step {
  if (error.kind === "nested_repository" || error.kind === "foreign_git_directory")
    return failed("gate_rejected", error.message, {
      details: { findings: [{ rule: error.kind, message: error.message }] },
    });
  return gitFailed("stage", error);
}
