/**
 * Proves after the agent's turn that only Tazuna moved the attempt's branch, and reports other moves (seed 003
 * Orchestrator).
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ok, type Result } from "neverthrow";
import type { RunNote } from "../../../domain/run/run.ts";
import { readHeadFiles } from "../../../git/process/locate-git-dir.ts";
import { isGone, isThere } from "../../../utils/files/is-there.ts";
import { openFolder } from "../../../utils/files/remove-tree.ts";
import { putBackBefore, putBranchBack } from "../../branches/put-branch-back.ts";
import { checkPointers, clearFlags, withholdSettings } from "../../confinement/check-git-files.ts";
import type { GitContext, Uses } from "../../core/context-parts.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
import { type RunStart, readMergeHead, readStart, watchedRefs } from "../../run-core/record-start.ts";
import { failed, type RunWorld, type Step, stepOf } from "../../run-core/step.ts";
import { unresolvedConflicts } from "../../run-core/unresolved-conflicts.ts";
import { clearStaleLocks } from "../../worktrees/clear-stale-locks.ts";
import { clearDamage, mendedNotes, mendWorktree } from "../../worktrees/mend-worktree.ts";
import { foreignFiles } from "./foreign-files.ts";
import { foreignMoves } from "./foreign-moves.ts";

/** STAGING (proving): HEAD and the branch are at the run's start, and every file is as the agent left it. */
export async function proveRun(context: GitContext & Uses<"paths">, world: RunWorld): Promise<Step> {
  return stepOf(async function* () {
    const { attempt } = world;
    const notes: RunNote[] = [];
    // Git answers nothing in a worktree with a damaged HEAD, not even about its settings.
    const damages = await clearDamage(context, attempt);
    notes.push(...mendedNotes(damages));
    const settings = yield* await withholdSettings(context, world);
    if (settings !== null) notes.push(settings);
    const start = await readStart(context, world.run.id);
    if (start === null || attempt.gitDir === null)
      return failed("worktree_lost", "What the run began from is not known any more.");
    if (!(await isFolder(attempt.worktree)) || !(await isThere(attempt.gitDir)))
      return failed("worktree_lost", `The worktree ${attempt.worktree} is gone.`);
    // The agent has ended: permissions that it removed and locks that it left protect nothing.
    await openFolder(attempt.worktree);
    await clearStaleLocks(world);
    const pointers = yield* (await checkPointers(context, world)).mapErr((error) => ({ ...error, notes }));
    notes.push(...pointers);
    // When it is proved again after its checks, the staged tree is the one that the gate has judged.
    const tree = world.run.phase === "checking" ? world.run.tree : null;
    yield* (await mendWorktree(context, { ...world, tree })).mapErr((error) => ({
      ...gitFailed("stage", error),
      notes,
    }));
    const flags = yield* (await clearFlags(context, world)).mapErr((error) => ({ ...error, notes }));
    notes.push(...flags);
    const refs = yield* (await watchedRefs(context, world)).mapErr(gitFailedAt("stage"));
    const back = yield* await takeBack(context, world, { start, refs });
    if (back !== null) notes.push(back);
    if (start.merging !== null) {
      const unresolved = await unresolvedConflicts(context, world, start.conflicts ?? []);
      if (unresolved !== null) return { ...unresolved, notes };
    }
    const moves = await foreignMoves(context, world, { start, now: refs });
    notes.push(...moves, ...(await foreignFiles(context, world, start)));
    return { event: "proved", notes };
  });
}

/**
 * If nothing moved, an earlier engine may have taken something back already, and was killed before it could record it.
 */
async function takeBack(
  context: GitContext,
  world: RunWorld,
  { start, refs }: { readonly start: RunStart; readonly refs: Readonly<Record<string, string>> },
): Promise<Result<RunNote | null, Step>> {
  if (!(await stayedPut(world, start, refs))) return putBranchBack(context, world, start);
  return ok(world.resumed ? await putBackBefore(context, world, start) : null);
}

/**
 * The checks that need no git call. HEAD names the branch; the branch is at its commit and no alias of another. No
 * git operation was begun since the start.
 */
async function stayedPut(
  world: RunWorld,
  start: RunStart,
  refs: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { gitDir, branch } = world.attempt;
  const head = gitDir === null ? null : await readHeadFiles(gitDir);
  if (gitDir === null || head?.branch !== branch || head.sha !== start.sha) return false;
  if (refs[`refs/heads/${branch}`] !== start.sha) return false;
  if ((await readMergeHead(gitDir)) !== start.merging) return false;
  const marks = await Promise.all(OPERATION_MARKS.map((mark) => isThere(join(gitDir, mark))));
  return !marks.includes(true);
}

/** Files and folders of a rebase, a revert and the like in progress, in a worktree's own git directory. */
const OPERATION_MARKS = [
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "BISECT_LOG",
  "rebase-merge",
  "rebase-apply",
  "sequencer",
];

/** A link to a folder counts, since `checkPointers` reports its target. A circular link does not count. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isGone(error) || (error as NodeJS.ErrnoException).code === "ELOOP") return false;
    throw error;
  }
}
