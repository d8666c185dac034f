/** Finds the merge in progress in a worktree, and its files in conflict, for the agent. */
import { join } from "node:path";
import { ok, type Result } from "neverthrow";
import type { ConflictedFile, MergeToResolve } from "../../../domain/agent/merge-section.ts";
import { type UnmergedFile, unmergedFiles } from "../../../git/index/unmerged.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import type { ServiceContext } from "../../core/context.ts";
import { readMergeHead } from "../../run-core/record-start.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { worktreeTarget } from "../../run-core/targets.ts";
import { hasMarkers } from "../../run-core/unresolved-conflicts.ts";

/** Null if nothing is being merged, or nothing conflicts. */
export async function mergeToResolve(
  context: Pick<ServiceContext, "git">,
  world: RunWorld,
): Promise<Result<MergeToResolve | null, GitError>> {
  const { attempt } = world;
  const sha = attempt.gitDir === null ? null : await readMergeHead(attempt.gitDir);
  if (sha === null) return ok(null);
  const unmerged = await unmergedFiles(context.git, worktreeTarget(attempt));
  return unmerged.map((files) =>
    files.length === 0
      ? null
      : {
          sha,
          revision: revisionOf(world, sha),
          files: files.map((file) => conflicted(attempt.worktree, file)),
        },
  );
}

/** From the note of the run that began the merge; a person's merge has none. */
function revisionOf({ run, earlier }: RunWorld, sha: string): string {
  const begun = [run, ...earlier.toReversed()]
    .flatMap(({ notes }) => notes)
    .find(({ code, details }) => code === "merge_begun" && details.sha === sha);
  const revision = begun?.details.revision;
  return typeof revision === "string" ? revision : "another branch";
}

function conflicted(worktree: string, { path, base, ours, theirs }: UnmergedFile): ConflictedFile {
  return {
    path,
    base: base !== null,
    ours: ours !== null,
    theirs: theirs !== null,
    kind: KINDS[(ours ?? theirs ?? base)?.mode ?? ""] ?? "file",
    marked: hasMarkers(join(worktree, path)),
  };
}

const KINDS: Readonly<Record<string, ConflictedFile["kind"]>> = { "120000": "link", "160000": "submodule" };
