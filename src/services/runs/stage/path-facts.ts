/** Gathers what the publish gate has to know of changed paths, apart from their content. */
import type { GateFacts, StagedPath } from "../../../domain/publish/gate.ts";
import { type LeftFile, setupPaths, stillLeft } from "../../../domain/publish/left-files.ts";
import type { SubmoduleFlaw } from "../../../domain/publish/staged-rules.ts";
import type { FileMode, StagedEntry } from "../../../git/index/list-staged.ts";
import type { PassedOver } from "../../../git/index/stage.ts";
import { leftByChecksOf } from "../../../storage/tables/checks.ts";
import type { Uses } from "../../core/context-parts.ts";
import { copiedFiles } from "../../worktrees/copied-files.ts";
import { leftBySetupOf } from "../../worktrees/left-by-setup.ts";

/** What the gate knows of paths without their content. */
export async function pathFacts(
  context: Uses<"db" | "paths">,
  attemptId: string,
  {
    ours,
    submodules,
    closedFolders,
    setAside,
  }: PassedOver & {
    readonly ours: readonly StagedEntry[];
    readonly submodules: readonly SubmoduleFlaw[];
    /** What a person leaves out. */
    readonly setAside: readonly { readonly path: string }[];
  },
): Promise<Omit<GateFacts, "inContent">> {
  const [copiedIn, left, setUp] = await Promise.all([
    copiedFiles(context, attemptId),
    leftByChecksOf(context.db.reader, attemptId),
    leftBySetupOf(context, attemptId),
  ]);
  const files = left.length + setUp.length === 0 ? [] : ours.map(leftFile);
  return {
    staged: { [Symbol.iterator]: () => Iterator.from(ours).map(stagedPath) },
    nestedRepositories: ours.filter(isNestedRepository).map(({ path }) => path),
    submodules,
    closedFolders,
    setAside: new Set(setAside.map(({ path }) => path)),
    copiedIn,
    leftByChecks: stillLeft(files, left),
    setup: setupPaths(files, setUp),
  };
}

/**
 * A repository that the agent made inside the worktree. Git stages a bare commit id although HEAD has no submodule
 * there.
 */
export function isNestedRepository(entry: StagedEntry): boolean {
  return entry.mode === "160000" && entry.previousMode !== "160000";
}

function leftFile({ path, previousMode, previousSha, mode, sha }: StagedEntry): LeftFile {
  const state = (is: FileMode | null, id: string | null) => (is && id ? { mode: is, sha: id } : null);
  return { path, was: state(previousMode, previousSha), now: state(mode, sha) };
}

/** One entry in the form for the gate. */
export function stagedPath(entry: StagedEntry): StagedPath {
  return {
    path: entry.path,
    change: entry.status === "unmerged" ? "modified" : entry.status,
    inHead: entry.previousMode !== null,
    mode: entry.mode ?? "000000",
    bytes: entry.size,
    sha: entry.sha,
  };
}
