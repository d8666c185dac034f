/** Lets the publish gate read what is staged: the list of paths first, then the content of what would be committed. */
import { err, ok, type Result } from "neverthrow";
import { withAllowances } from "../../domain/publish/allowance.ts";
import {
  type GateFacts,
  type GateVerdict,
  judgePaths,
  type StagedPath,
  withContent,
} from "../../domain/publish/gate.ts";
import { type LeftFile, stillLeft } from "../../domain/publish/left-files.ts";
import { type FileMode, listStaged, type Staged, type StagedEntry } from "../../git/list-staged.ts";
import type { GitTarget } from "../../git/run-git.ts";
import type { PassedOver } from "../../git/stage.ts";
import { dirtySubmodules } from "../../git/submodule.ts";
import { leftByChecksOf } from "../../storage/checks.ts";
import { inTurns } from "../../utils/turns.ts";
import type { ServiceContext } from "../context.ts";
import { scanContent } from "../gate/scan-content.ts";
import { copiedFiles } from "../worktrees/copied-files.ts";
import { gatePolicy } from "./gate-policy.ts";
import { gitFailed } from "./git-failure.ts";
import type { RunWorld, Step } from "./step.ts";
import { theirsOfMerge } from "./theirs-of-merge.ts";

/** What is staged, as its tree has it, and the verdict on it. Of a merge, what is as the other side has it is not judged: it is not ours. */
export async function judgeIndex(
  context: ServiceContext,
  world: RunWorld,
  of: PassedOver & {
    readonly target: GitTarget;
    readonly gitlinks: readonly string[];
    readonly tree: string;
  },
): Promise<Result<Staged & { readonly verdict: GateVerdict }, Step>> {
  const { git } = context;
  const [listed, dirty, theirs] = await Promise.all([
    listStaged(git, of.target, { from: world.run.startSha ?? "HEAD", to: of.tree }),
    dirtySubmodules(git, of.target, of.gitlinks),
    theirsOfMerge(context, world, of.target),
  ]);
  if (listed.isErr()) return err(gitFailed("stage", listed.error));
  if (dirty.isErr()) return err(gitFailed("stage", dirty.error));
  if (theirs.isErr()) return err(gitFailed("stage", theirs.error));
  const ours = listed.value.entries.filter(
    (entry) => entry.sha === null || theirs.value.get(entry.path) !== entry.sha,
  );
  const facts = await factsOf(context, world, {
    ours,
    dirty: dirty.value.map(({ path }) => path),
    closedFolders: of.closedFolders,
  });
  const policy = gatePolicy(world.configuration);
  const paths = await inTurns(judgePaths(facts, policy));
  const out = new Set(paths.leftOut);
  const inContent = await scanContent(context, of.target, {
    tree: of.tree,
    entries: out.size === 0 ? ours : ours.filter(({ path }) => !out.has(path)),
    theirs: theirs.value,
  });
  if (inContent.isErr()) return err(gitFailed("stage", inContent.error));
  const content = { staged: facts.staged, inContent: inContent.value };
  const verdict = await inTurns(withContent(paths, content, policy));
  return ok({ ...listed.value, verdict: withAllowances(verdict, allowancesOf(world)) });
}

/** What persons allowed, for this run and for those before it. */
export function allowancesOf({ run, earlier }: RunWorld) {
  return {
    own: run.options.allowance ?? null,
    earlier: earlier.flatMap(({ options }) => options.allowance ?? []),
  };
}

async function factsOf(
  context: ServiceContext,
  world: RunWorld,
  {
    ours,
    dirty,
    closedFolders,
  }: PassedOver & { readonly ours: readonly StagedEntry[]; readonly dirty: readonly string[] },
): Promise<Omit<GateFacts, "inContent">> {
  const [copiedIn, left] = await Promise.all([
    copiedFiles(context, world.attempt.id),
    leftByChecksOf(context.db.reader, world.attempt.id),
  ]);
  return {
    staged: { [Symbol.iterator]: () => Iterator.from(ours).map(stagedPath) },
    nestedRepositories: ours.filter(isNestedRepository).map(({ path }) => path),
    dirtySubmodules: dirty,
    closedFolders,
    copiedIn,
    leftByChecks: left.length === 0 ? new Map() : stillLeft(ours.map(leftFile), left),
  };
}

/** A repository that the agent made inside the worktree: git stages a bare commit id where HEAD has no submodule. */
export function isNestedRepository(entry: StagedEntry): boolean {
  return entry.mode === "160000" && entry.previousMode !== "160000";
}

function leftFile({ path, previousMode, previousSha, mode, sha }: StagedEntry): LeftFile {
  const state = (is: FileMode | null, id: string | null) => (is && id ? { mode: is, sha: id } : null);
  return { path, was: state(previousMode, previousSha), now: state(mode, sha) };
}

/** One entry as the gate takes it. */
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
