/** Takes the patch of what is staged: its tree, and the unified diff in a file. */
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { PatchStat } from "../../domain/run/run.ts";
import { type ChangedFile, diffPatchToFile } from "../../git/diff.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { writeTree } from "../../git/stage.ts";
import type { ServiceContext } from "../context.ts";
import { gitFailed } from "./git-failure.ts";
import type { RunWorld, Step } from "./step.ts";

/**
 * The tree id of what is staged; its unified diff is in the run's folder then. One after the other: the list of what is
 * staged is asked for beside this, and a third process at once would only slow the first two down.
 */
export async function takePatch(
  context: ServiceContext,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<string, Step>> {
  const tree = await writeTree(context.git, target);
  if (tree.isErr()) return err(gitFailed("stage", tree.error));
  const file = patchFile(context, world.run.id);
  const patch = await diffPatchToFile(context.git, target, { of: "staged", file });
  if (patch.isErr()) return err(gitFailed("stage", patch.error));
  return ok(tree.value);
}

/** Where the patch of a run lies. */
export function patchFile(context: ServiceContext, runId: string): string {
  return join(context.paths.run(runId), "patch.diff");
}

/** The numbers of a patch. */
export function statOf(files: readonly ChangedFile[]): PatchStat {
  const sum = (numbers: readonly (number | null)[]) =>
    numbers.reduce<number>((total, one) => total + (one ?? 0), 0);
  return {
    files: files.length,
    additions: sum(files.map((file) => file.additions)),
    deletions: sum(files.map((file) => file.deletions)),
  };
}
