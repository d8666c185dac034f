/** Finds the files of a merge in progress that nobody has resolved: their conflict markers must not be committed. */
import { join } from "node:path";
import { unmergedPaths } from "../../git/pull.ts";
import { readPlainFile } from "../../utils/read-plain-file.ts";
import type { ServiceContext } from "../context.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import { gitFailed } from "./git-failure.ts";
import type { RunWorld, Step } from "./step.ts";
import { gateRejected } from "./tell-findings.ts";

/** The step that ends the run with the files that still hold markers; null where there are none. */
export async function unresolvedConflicts(context: ServiceContext, world: RunWorld): Promise<Step | null> {
  const unmerged = await unmergedPaths(context.git, worktreeTarget(world.attempt));
  if (unmerged.isErr()) return gitFailed("stage", unmerged.error);
  const paths = unmerged.value.filter((path) => hasMarkers(join(world.attempt.worktree, path)));
  if (paths.length === 0) return null;
  const findings = paths.map((path) => ({
    rule: "conflict_marker",
    path,
    message: `${path} still holds conflict markers`,
    final: true,
  }));
  return gateRejected(world, { findings });
}

/** The gate reads no longer one either. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A file that is gone was resolved by deleting it; where a pipe or a link lies now, there are none. */
function hasMarkers(file: string): boolean {
  const text = readPlainFile(file, MOST_BYTES) ?? "";
  return /^<{7}(?: |$)/m.test(text) && /^>{7}(?: |$)/m.test(text);
}
