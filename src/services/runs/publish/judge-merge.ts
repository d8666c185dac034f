/** Lets the publish gate read what a merge of others' commits made and neither side had. */
import { err, ok, Result, safeTry } from "neverthrow";
import { withAllowances } from "../../../domain/publish/allowance.ts";
import { judgeStaged } from "../../../domain/publish/gate.ts";
import { listStaged } from "../../../git/index/list-staged.ts";
import type { CommitFacts } from "../../../git/refs/read-commit.ts";
import type { Uses } from "../../core/context-parts.ts";
import { scanContent } from "../../gate/scan-content.ts";
import { gitFailedAt } from "../../run-core/git-failure.ts";
import type { RunWorld, Step } from "../../run-core/step.ts";
import { repositoryTarget } from "../../run-core/targets.ts";
import { gateRejected } from "../../run-core/tell-findings.ts";
import { gatePolicy } from "../stage/gate-policy.ts";
import { allowancesOf } from "../stage/judge-index.ts";
import { isNestedRepository, stagedPath } from "../stage/path-facts.ts";

interface Merge {
  /** Our side, which the gate has read. */
  readonly from: string;
  /** The other side, which is not ours to judge. */
  readonly theirs: string;
  readonly merged: Pick<CommitFacts, "tree">;
  /** Stands before the first finding. */
  readonly lead?: string;
}

/**
 * A merge without conflicts can still make new content. Git joins lines, and moves a file of ours along with a folder
 * of theirs. Git also takes the tree from an index that an agent's leftover process can write. So paths, sizes and
 * content that neither side had in this form are read like a run's own.
 */
export async function judgeMerge(
  context: Uses<"git">,
  world: Pick<RunWorld, "attempt" | "repository" | "configuration" | "run" | "earlier">,
  { from, theirs, merged, lead = "After merging what others pushed: " }: Merge,
): Promise<Result<void, Step>> {
  return safeTry(async function* () {
    const { git } = context;
    const target = repositoryTarget(world.repository);
    const sides = await Promise.all([
      listStaged(git, target, { from, to: merged.tree }),
      listStaged(git, target, { from: theirs, to: merged.tree }),
    ]);
    const [ours, others] = yield* Result.combine(sides).mapErr(gitFailedAt("push"));
    const before = new Map(ours.entries.map(({ path, previousSha }) => [path, previousSha]));
    const entries = others.entries.filter(({ path }) => before.has(path));
    if (entries.length === 0) return ok(undefined);
    const inContent = yield* (
      await scanContent(context, target, {
        tree: merged.tree,
        entries: [...entries, ...ours.entries.filter(({ sha }) => sha === null)],
        theirs: new Map([...before].filter((each): each is [string, string] => each[1] !== null)),
      })
    ).mapErr(gitFailedAt("push"));
    const verdict = judgeStaged(
      {
        // Nothing can be left out of a commit that exists.
        staged: entries.map((entry) => ({ ...stagedPath(entry), inHead: true })),
        nestedRepositories: entries.filter(isNestedRepository).map(({ path }) => path),
        closedFolders: [],
        setAside: new Set(),
        submodules: [],
        copiedIn: new Set(),
        leftByChecks: new Map(),
        setup: { untouched: new Set(), changed: new Set() },
        inContent,
      },
      gatePolicy(world.configuration),
    );
    const { findings, rejected } = withAllowances(verdict, allowancesOf(world));
    if (!rejected) return ok(undefined);
    return err(gateRejected(world, { findings, lead }));
  });
}
