/** Finds the files of a merge in progress that nobody has resolved: their conflict markers must not be committed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { unmergedPaths } from "../../git/pull.ts";
import type { ServiceContext } from "../context.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import { gitFailed } from "./git-failure.ts";
import type { RunWorld, Step } from "./step.ts";
import { gateRejected } from "./tell-findings.ts";

/** The step that ends the run with the files that still hold markers; null where there are none. */
export async function unresolvedConflicts(context: ServiceContext, world: RunWorld): Promise<Step | null> {
  const unmerged = await unmergedPaths(context.git, worktreeTarget(world.attempt));
  if (unmerged.isErr()) return gitFailed("stage", unmerged.error);
  const checked = await Promise.all(
    unmerged.value.map(async (path) => ({
      path,
      open: await hasMarkers(join(world.attempt.worktree, path)),
    })),
  );
  const paths = checked.filter(({ open }) => open).map(({ path }) => path);
  if (paths.length === 0) return null;
  const findings = paths.map((path) => ({
    rule: "conflict_marker",
    path,
    message: `${path} still holds conflict markers`,
    final: true,
  }));
  return gateRejected(world, { findings });
}

/** A file that is gone was resolved by deleting it. */
async function hasMarkers(file: string): Promise<boolean> {
  const text = await readFile(file, "latin1").catch(() => "");
  return /^<{7}(?: |$)/m.test(text) && /^>{7}(?: |$)/m.test(text);
}
