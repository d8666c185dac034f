/** Takes back what an agent did to its own branch and HEAD, and keeps every file (promise 1). */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { RunNote } from "../../domain/run/run.ts";
import { pointHeadAt, readHead, readRef, resetSoft, updateRef } from "../../git/refs/refs.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import type { SnapshotError } from "../../git/snapshot/snapshot.ts";
import { beginMergeAgain, clearOperation, operationInProgress } from "../../git/worktree/merge-state.ts";
import { pageOperations } from "../../storage/tables/operations.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { journaled } from "../core/journal.ts";
import { gitFailedAt } from "../run-core/git-failure.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import { type RunStart, readMergeHead } from "../run-core/record-start.ts";
import { note, type RunWorld, type Step } from "../run-core/step.ts";
import { worktreeTarget } from "../run-core/targets.ts";

interface Position {
  readonly head: string | null;
  readonly headBranch: string | null;
  readonly branchSha: string | null;
  /** Such as `merge` or `rebase`; null if none goes on. */
  readonly operation: string | null;
  /** MERGE_HEAD; null if nothing is being merged. */
  readonly merging: string | null;
  /** The commit of what the agent put away for the operation; null if there is none. */
  readonly autostash: string | null;
}

/** Null if nothing had moved. Else a note that tells what was taken back, after a snapshot of everything. */
export async function putBranchBack(
  context: GitContext,
  world: RunWorld,
  start: Pick<RunStart, "sha" | "merging">,
): Promise<Result<RunNote | null, Step>> {
  return safeTry(async function* () {
    const target = worktreeTarget(world.attempt);
    const position = yield* (await readPosition(context, world, target)).mapErr(gitFailedAt("stage"));
    const { branch } = world.attempt;
    const { head, headBranch, branchSha, operation, merging } = position;
    const inPlace = headBranch === branch && head === start.sha && branchSha === start.sha;
    const going = operation === (start.merging === null ? null : "merge") && merging === start.merging;
    if (inPlace && going) return ok(null);
    const snapshot = yield* (await keepSnapshot(context, world, { reason: "agent_moved_head" })).mapErr(
      gitFailedAt("stage"),
    );
    const stash = yield* (await keepAutostash(context, world, position)).mapErr(gitFailedAt("stage"));
    yield* (
      await journaled(
        context,
        {
          kind: "ref_restored",
          subject: { type: "run", id: world.run.id },
          before: { branch, ...position, snapshot: snapshot.ref, stash },
          // If HEAD only pointed elsewhere and nothing was committed, there is nothing to bring back.
          undoable: [head, branchSha].some((sha) => sha !== null && sha !== start.sha),
        },
        () => restore(context, target, { branch, sha: start.sha, branchSha, merging: start.merging }),
        () => ({ branch, sha: start.sha }),
      )
    ).mapErr(gitFailedAt("stage"));
    return ok(undoneNote(start, { ...position, snapshot: snapshot.ref, stash }));
  });
}

/** What `--autostash` put away is not among the files, and ending the operation would leave it without a reference. */
async function keepAutostash(
  context: GitContext,
  world: RunWorld,
  { autostash: commit }: Position,
): Promise<Result<string | null, SnapshotError>> {
  if (commit === null) return ok(null);
  const there = await readRef(context.git, worktreeTarget(world.attempt), `${commit}^{commit}`);
  if (there.isErr() || there.value === null) return there.map(() => null);
  const kept = await keepSnapshot(context, world, { reason: "agent_autostash", commit });
  return kept.map(({ ref }) => ref);
}

/** The note of what was taken back just before a crash; null if the journal has no such entry. */
export async function putBackBefore(
  context: Uses<"db">,
  world: RunWorld,
  start: RunStart,
): Promise<RunNote | null> {
  const query = { subjects: [world.run.id], cursor: null, limit: 50 };
  const { items } = await pageOperations(context.db.reader, query);
  const act = items.find(({ kind, status }) => kind === "ref_restored" && status !== "failed");
  if (act === undefined) return null;
  const { branch: _, ...position } = act.before ?? {};
  return undoneNote(start, position);
}

function undoneNote(start: Pick<RunStart, "sha">, details: Readonly<Record<string, unknown>>): RunNote {
  const sha = start.sha.slice(0, 8);
  const moved = `The agent moved its branch or HEAD; both were put back to ${sha}, its files are kept.`;
  const { stash } = details;
  const message =
    typeof stash === "string" ? `${moved} What it put away with --autostash is in ${stash}.` : moved;
  return note("agent_commit_undone", message, details);
}

async function readPosition(context: Uses<"git">, world: RunWorld, target: GitTarget) {
  const head = await readHead(context.git, target);
  if (head.isErr()) return err(head.error);
  const branchSha = await readRef(context.git, target, `refs/heads/${world.attempt.branch}^{commit}`);
  if (branchSha.isErr()) return err(branchSha.error);
  const operation = await operationInProgress(context.git, target);
  const merging = await readMergeHead(target.gitDir);
  return operation.map(
    (found): Position => ({
      merging,
      head: head.value.sha,
      headBranch: head.value.branch,
      branchSha: branchSha.value,
      operation: found?.name ?? null,
      autostash: found?.autostash ?? null,
    }),
  );
}

async function restore(
  context: Uses<"git">,
  target: GitTarget,
  to: {
    readonly branch: string;
    readonly sha: string;
    readonly branchSha: string | null;
    /** What was being merged when the run began, and still is. */
    readonly merging: string | null;
  },
): Promise<Result<void, { readonly kind: string; readonly message: string }>> {
  return safeTry(async function* () {
    yield* await clearOperation(context.git, target);
    // Done before HEAD. If the branch is an alias of one of the user's branches, a reset would move that branch.
    yield* await updateRef(context.git, target, {
      ref: `refs/heads/${to.branch}`,
      from: to.branchSha,
      to: to.sha,
      reason: "tazuna: branch restored",
    });
    yield* await pointHeadAt(context.git, target, to.branch);
    const reset = await resetSoft(context.git, target, to.sha);
    if (reset.isErr() || to.merging === null) return reset;
    await beginMergeAgain(target, to.merging);
    return ok(undefined);
  });
}
