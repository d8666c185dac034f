/** Finds the unresolved files of a merge in progress: their conflict markers must not be committed. */
import { join } from "node:path";
import { unmergedPaths } from "../../git/index/unmerged.ts";
import { readPlainFile } from "../../utils/paths/read-plain-file.ts";
import type { Uses } from "../core/context-parts.ts";
import { gitFailed } from "./git-failure.ts";
import type { RunWorld, Step } from "./step.ts";
import { worktreeTarget } from "./targets.ts";
import { gateRejected } from "./tell-findings.ts";

/** The step that ends the run with the files that still hold markers; null if there are none. */
export async function unresolvedConflicts(
  context: Uses<"git">,
  world: RunWorld,
  /** The conflicts at the run's start: an agent can remove a file from git's own list. */
  atStart: readonly { readonly path: string }[],
): Promise<Step | null> {
  const unmerged = await unmergedPaths(context.git, worktreeTarget(world.attempt));
  if (unmerged.isErr()) return gitFailed("stage", unmerged.error);
  const before = atStart.map(({ path }) => path);
  const paths = [...new Set([...before, ...unmerged.value])].filter((path) =>
    hasMarkers(join(world.attempt.worktree, path)),
  );
  if (paths.length === 0) return null;
  const findings = paths.map((path) => ({
    rule: "conflict_marker",
    path,
    message: `${path} still holds conflict markers`,
    final: true,
  }));
  return gateRejected(world, { findings });
}

/** In bytes: the gate does not read a longer file either. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A deleted file counts as resolved. If a pipe or a link is there now, it holds no markers. */
export function hasMarkers(file: string): boolean {
  const text = readPlainFile(file, MAX_BYTES) ?? "";
  return /^<{7}(?: |$)/m.test(text) && /^>{7}(?: |$)/m.test(text);
}
