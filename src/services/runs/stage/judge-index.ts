/** Lets the publish gate read what is staged: the list of paths first, then the content to commit. */
import { ok, Result, safeTry } from "neverthrow";
import { standingOf, withAllowances } from "../../../domain/publish/allowance.ts";
import { type GateVerdict, judgePaths, withContent } from "../../../domain/publish/gate.ts";
import { leftOutBy } from "../../../domain/publish/left-out.ts";
import type { SubmoduleFlaw } from "../../../domain/publish/staged-rules.ts";
import { visitDiff } from "../../../git/index/diff-records.ts";
import { listStaged, type Staged, type StagedEntry } from "../../../git/index/list-staged.ts";
import type { PassedOver } from "../../../git/index/stage.ts";
import { dirtySubmodules, strayGitlinks, unpublishedGitlinks } from "../../../git/index/submodule.ts";
import type { RemoteError } from "../../../git/process/remote-error.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import { inTurns } from "../../../utils/time/turns.ts";
import type { Uses } from "../../core/context-parts.ts";
import { scanContent } from "../../gate/scan-content.ts";
import { gitFailedAt } from "../../run-core/git-failure.ts";
import { readMergeHead } from "../../run-core/record-start.ts";
import type { RunWorld, Step } from "../../run-core/step.ts";
import { gatePolicy } from "./gate-policy.ts";
import { pathFacts } from "./path-facts.ts";

/**
 * The staged changes, read from their tree, and the verdict on them. In a merge, an entry that equals the other side's
 * is not judged: it is not ours.
 */
export async function judgeIndex(
  context: Uses<"db" | "git" | "paths">,
  world: RunWorld,
  staged: PassedOver & {
    readonly target: GitTarget;
    readonly gitlinks: readonly string[];
    readonly tree: string;
  },
): Promise<Result<Staged & { readonly verdict: GateVerdict }, Step>> {
  return safeTry(async function* () {
    const { git } = context;
    const [stray, ...read] = await Promise.all([
      strayGitlinks(staged.target, staged.gitlinks),
      listStaged(git, staged.target, { from: world.run.startSha ?? "HEAD", to: staged.tree }),
      dirtySubmodules(git, staged.target, staged.gitlinks),
      theirsOfMerge(context, world, staged.target),
    ]);
    const [listed, dirty, theirs] = yield* Result.combine(read).mapErr(gitFailedAt("stage"));
    const ours = listed.entries.filter((entry) => entry.sha === null || theirs.get(entry.path) !== entry.sha);
    const unpublished = await unpublishedGitlinks(git, staged.target, ours.flatMap(movedGitlink));
    const flaws = new Map<string, SubmoduleFlaw["why"]>([
      ...unpublished.map((path) => [path, "unpublished"] as const),
      ...dirty.map(({ path }) => [path, "dirty"] as const),
      ...stray.map((path) => [path, "stray"] as const),
    ]);
    const submodules = [...flaws].map(([path, why]) => ({ path, why }));
    const facts = await pathFacts(context, world.attempt.id, {
      ours,
      submodules,
      closedFolders: staged.closedFolders,
      setAside: leftOutBy([...world.earlier, world.run]),
    });
    const policy = gatePolicy(world.configuration);
    const paths = await inTurns(judgePaths(facts, policy));
    const out = new Set(paths.leftOut);
    const inContent = yield* (
      await scanContent(context, staged.target, {
        tree: staged.tree,
        entries: out.size === 0 ? ours : ours.filter(({ path }) => !out.has(path)),
        theirs,
      })
    ).mapErr(gitFailedAt("stage"));
    const content = { staged: facts.staged, inContent };
    const verdict = await inTurns(withContent(paths, content, policy));
    return ok({ ...listed, verdict: withAllowances(verdict, allowancesOf(world)) });
  });
}

/** What persons allowed for this run and for earlier ones. */
export function allowancesOf({ run, earlier }: Pick<RunWorld, "run" | "earlier">) {
  return {
    own: run.options.allowance === undefined ? null : standingOf(run.options.allowance),
    earlier: earlier.flatMap(({ options: { allowance } }) => (allowance && standingOf(allowance)) ?? []),
  };
}

/** A submodule that the commit would set to another commit. */
function movedGitlink({ path, mode, sha, previousMode }: StagedEntry) {
  return mode === "160000" && previousMode === "160000" && sha !== null ? [{ path, sha }] : [];
}

/**
 * The blobs of the other side of a merge in progress that differ from ours, by path. Empty without a merge. The proof
 * let the merge pass, so a person or Tazuna began it.
 */
async function theirsOfMerge(
  context: Uses<"git">,
  world: RunWorld,
  target: GitTarget,
): Promise<Result<ReadonlyMap<string, string>, RemoteError>> {
  const { gitDir } = world.attempt;
  const merging = gitDir === null ? null : await readMergeHead(gitDir);
  if (merging === null) return ok(new Map());
  const theirs = new Map<string, string>();
  const visited = await visitDiff(context.git, target, { from: "HEAD", to: merging }, () => ({
    record: ({ path, sha }) => theirs.set(path, sha),
    lines: () => {},
  }));
  return visited.map(() => theirs);
}
