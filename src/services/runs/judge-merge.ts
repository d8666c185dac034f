/** Lets the publish gate read what a merge of others' commits made that neither side had. */
import { err, ok, type Result } from "neverthrow";
import { withAllowances } from "../../domain/publish/allowance.ts";
import { judgeStaged } from "../../domain/publish/gate.ts";
import { listStaged } from "../../git/list-staged.ts";
import type { CommitFacts } from "../../git/read-commit.ts";
import type { ServiceContext } from "../context.ts";
import { scanContent } from "../gate/scan-content.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { gatePolicy } from "./gate-policy.ts";
import { gitFailed } from "./git-failure.ts";
import { allowancesOf, isNestedRepository, stagedPath } from "./judge-index.ts";
import type { RunWorld, Step } from "./step.ts";
import { gateRejected } from "./tell-findings.ts";

interface Merge {
  /** Our side, which the gate has read. */
  readonly from: string;
  /** The remote's side, which is published. */
  readonly theirs: string;
  readonly merged: CommitFacts;
}

/**
 * Git invents nothing where it resolves by itself, but it puts lines together, moves a file of ours along with a folder of
 * theirs, and takes the tree from an index that a leftover of an agent can write: so paths, sizes and content of what is as
 * neither side had it are read like a run's own.
 */
export async function judgeMerge(
  context: ServiceContext,
  world: RunWorld,
  { from, theirs, merged }: Merge,
): Promise<Result<void, Step>> {
  const { git } = context;
  const target = repositoryTarget(world.repository);
  const [ours, others] = await Promise.all([
    listStaged(git, target, { from, to: merged.tree }),
    listStaged(git, target, { from: theirs, to: merged.tree }),
  ]);
  if (ours.isErr()) return err(gitFailed("push", ours.error));
  if (others.isErr()) return err(gitFailed("push", others.error));
  const before = new Map(ours.value.entries.map(({ path, previousSha }) => [path, previousSha]));
  const entries = others.value.entries.filter(({ path }) => before.has(path));
  if (entries.length === 0) return ok(undefined);
  const inContent = await scanContent(context, target, {
    tree: merged.tree,
    entries: [...entries, ...ours.value.entries.filter(({ sha }) => sha === null)],
    theirs: new Map([...before].filter((each): each is [string, string] => each[1] !== null)),
  });
  if (inContent.isErr()) return err(gitFailed("push", inContent.error));
  const verdict = judgeStaged(
    {
      // Nothing can be left out of a commit that is made.
      staged: entries.map((entry) => ({ ...stagedPath(entry), inHead: true })),
      nestedRepositories: entries.filter(isNestedRepository).map(({ path }) => path),
      closedFolders: [],
      dirtySubmodules: [],
      copiedIn: new Set(),
      leftByChecks: new Map(),
      inContent: inContent.value,
    },
    gatePolicy(world.configuration),
  );
  const { findings, rejected } = withAllowances(verdict, allowancesOf(world));
  if (!rejected) return ok(undefined);
  return err(gateRejected(world, { findings, lead: "After merging what others pushed: " }));
}
