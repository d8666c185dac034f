/** Proves after the agent's turn that only Tazuna moves the attempt's branch, and reports what else moved meanwhile. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ok, type Result } from "neverthrow";
import type { RunNote } from "../../domain/run/run.ts";
import { readHeadFiles } from "../../git/locate-git-dir.ts";
import { isThere } from "../../utils/is-there.ts";
import { openFolder } from "../../utils/open-folder.ts";
import type { ServiceContext } from "../context.ts";
import { checkPointers, clearFlags, withholdSettings } from "../worktrees/check-git-files.ts";
import { clearStaleLocks } from "../worktrees/clear-stale-locks.ts";
import { foreignFiles } from "./foreign-files.ts";
import { foreignMoves } from "./foreign-moves.ts";
import { gitFailed } from "./git-failure.ts";
import { putBackBefore, putBranchBack } from "./put-branch-back.ts";
import { type RunStart, readMergeHead, readStart, watchedRefs } from "./record-start.ts";
import { failed, type RunWorld, type Step } from "./step.ts";
import { unresolvedConflicts } from "./unresolved-conflicts.ts";

/** STAGING (proving): HEAD and the branch are where the run began, every file is as the agent left it. */
export async function proveRun(context: ServiceContext, world: RunWorld): Promise<Step> {
  const { attempt } = world;
  const notes: RunNote[] = [];
  const settings = await withholdSettings(context, world);
  if (settings.isErr()) return settings.error;
  if (settings.value !== null) notes.push(settings.value);
  const start = await readStart(context, world.run.id);
  if (start === null || attempt.gitDir === null)
    return failed("worktree_lost", "What the run began from is not known any more.");
  if (!(await isFolder(attempt.worktree)) || !(await isThere(attempt.gitDir)))
    return failed("worktree_lost", `The worktree ${attempt.worktree} is gone.`);
  // The agent is dead: what it left closed and locked is nobody's.
  await openFolder(attempt.worktree);
  await clearStaleLocks(world);
  const pointers = await checkPointers(context, world);
  if (pointers.isErr()) return { ...pointers.error, notes };
  notes.push(...pointers.value);
  const flags = await clearFlags(context, world);
  if (flags.isErr()) return { ...flags.error, notes };
  notes.push(...flags.value);
  const refs = await watchedRefs(context, world);
  if (refs.isErr()) return gitFailed("stage", refs.error);
  const back = await takeBack(context, world, { start, refs: refs.value });
  if (back.isErr()) return back.error;
  if (back.value !== null) notes.push(back.value);
  if (start.merging !== null) {
    const unresolved = await unresolvedConflicts(context, world);
    if (unresolved !== null) return { ...unresolved, notes };
  }
  const moves = await foreignMoves(context, world, { start, now: refs.value });
  notes.push(...moves, ...(await foreignFiles(context, world, start)));
  return { event: "proved", notes };
}

/** Where nothing moved, something may have been taken back already: by an engine that was killed before it could say so. */
async function takeBack(
  context: ServiceContext,
  world: RunWorld,
  { start, refs }: { readonly start: RunStart; readonly refs: Readonly<Record<string, string>> },
): Promise<Result<RunNote | null, Step>> {
  if (!(await stayedPut(world, start, refs))) return putBranchBack(context, world, start);
  return ok(world.resumed ? await putBackBefore(context, world, start) : null);
}

/**
 * What needs no question to git: HEAD names the branch, the branch is where it was and no other name of another one,
 * nothing was begun that was not going on.
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

/** Files and folders that a rebase, a revert and the like leave in a worktree's own git directory while they go on. */
const OPERATION_MARKS = [
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "BISECT_LOG",
  "rebase-merge",
  "rebase-apply",
  "sequencer",
];

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
