/** Stores the patch of what is staged in a file of the run. */
import { join } from "node:path";
import type { Result } from "neverthrow";
import type { PatchStat } from "../../domain/run/run.ts";
import { diffPatchToFile } from "../../git/index/diff.ts";
import type { ChangedFile } from "../../git/index/diff-records.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import type { Uses } from "../core/context-parts.ts";
import { gitFailedAt } from "./git-failure.ts";
import type { RunWorld, Step } from "./step.ts";

/** The run's folder then holds its unified diff. */
export async function takePatch(
  context: Uses<"git" | "paths">,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<void, Step>> {
  const file = patchFile(context, world.run.id);
  const patch = await diffPatchToFile(context.git, target, { comparison: "staged", file });
  return patch.mapErr(gitFailedAt("stage"));
}

/** The path of a run's patch. */
export function patchFile(context: Uses<"paths">, runId: string): string {
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
