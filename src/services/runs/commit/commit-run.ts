/** Commits the staged tree with the run's message, once (seed 003 Phase 3). */
import { isCommitOfRun } from "../../../domain/run/commit-message.ts";
import { decideRecovery } from "../../../domain/run/recovery.ts";
import { type Committed, commit } from "../../../git/refs/commit.ts";
import { readCommit } from "../../../git/refs/read-commit.ts";
import { readHead } from "../../../git/refs/refs.ts";
import { readIdentity } from "../../../git/repository/identity.ts";
import { probeSigning } from "../../../git/repository/signing.ts";
import type { GitTarget } from "../../../git/runner/run-git.ts";
import { checksOfRun } from "../../../storage/tables/checks.ts";
import { ensureBranch } from "../../branches/ensure-branch.ts";
import type { ConfinedContext, GitContext, Uses } from "../../core/context-parts.ts";
import { journaled } from "../../core/journal.ts";
import { lfsOf } from "../../core/known-trees.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
import { readStart } from "../../run-core/record-start.ts";
import { failed, note, type RunWorld, type Step, stepOf, withNotes } from "../../run-core/step.ts";
import { worktreeTarget } from "../../run-core/targets.ts";
import { changedMeanwhile, proveCommit } from "../prove/prove-commit.ts";
import { unpublishedMerge } from "../stage/unpublished-merge.ts";
import { agreedMessage } from "./agreed-message.ts";
import { commitMadeBefore } from "./commit-made-before.ts";

/** COMMITTING: ends with the commit; a crash in the middle never makes it twice. */
export async function commitRun(
  context: GitContext & ConfinedContext & Uses<"knownTrees" | "executors">,
  world: RunWorld,
): Promise<Step> {
  return stepOf(async function* () {
    const target = worktreeTarget(world.attempt);
    const made = world.resumed ? await committedBefore(context, world, target) : null;
    if (made !== null) return afterCommit(context, world, { target, made });
    if (world.signal.aborted || world.run.stopRequest !== null) return { event: "cancel" };
    if (world.run.patch?.files === 0) {
      const merge = await mergedBefore(context, world, target);
      if (merge !== null) return merge;
      if (world.run.options.recheck === true) return checkedAgain(context, world, target);
    }
    // Without its branch the commit would begin a new history.
    const head = await readHead(context.git, target);
    if (head.isOk() && head.value.sha === null) {
      yield* (await ensureBranch(context, world)).mapErr(gitFailedAt("commit"));
    }
    const lfs = yield* (await lfsOf(context, target, world.run.tree ?? "")).mapErr(gitFailedAt("commit"));
    if (lfs.used && !(lfs.installed && lfs.configured))
      return failed(
        "lfs_missing",
        "This repository keeps large files with Git LFS, and git-lfs is not installed (or not set up) here.",
      );
    const message = yield* await agreedMessage(context, world, target);
    const found = yield* (await commitMadeBefore(context, world, { target, message })).mapErr(
      gitFailedAt("commit"),
    );
    if (found !== null) return withNotes(await afterCommit(context, world, { target, made: found }), [FOUND]);
    const committed = await makeCommit(context, world, { target, message });
    if (committed.isErr()) return commitFailed(context, world, { target, error: committed.error });
    return afterCommit(context, world, { target, made: committed.value });
  });
}

const FOUND = note(
  "commit_found",
  "The commit that was taken back was this run's own. An older copy of the database did not know it. It is on the branch again.",
);

/** Git may answer "nothing to commit" if the commit was made after all. */
async function commitFailed(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
  failure: {
    readonly target: GitTarget;
    readonly error: { readonly kind: string; readonly message: string };
  },
): Promise<Step> {
  const { target, error } = failure;
  const made = error.kind === "nothing_to_commit" ? await committedBefore(context, world, target) : null;
  if (made !== null) return afterCommit(context, world, { target, made });
  return (await signingFailed(context, world, target)) ?? gitFailed("commit", error);
}

/** If signing failed, says so and what to do. Nothing ever asks for a passphrase. */
async function signingFailed(context: Uses<"git">, world: RunWorld, target: GitTarget): Promise<Step | null> {
  if (world.configuration.values.sign === "off") return null;
  const identity = await readIdentity(context.git, target);
  if (identity.isErr()) return null;
  const facts = await probeSigning(context.git, target, identity.value);
  if (facts.isErr() || !facts.value.wanted || facts.value.works) return null;
  const { format, reason } = facts.value;
  const message = `Your git signs commits (${format}), and that does not work without asking: ${reason}`;
  return failed("commit_failed", message, {
    remedy: "Unlock the key (its agent), or sign nothing: {set sign off}. Then {again}. {kept}",
  });
}

/** HEAD if it is this run's commit already, made before a crash; else null. */
async function committedBefore(
  context: Uses<"git">,
  world: RunWorld,
  target: GitTarget,
): Promise<Committed | null> {
  const head = await readCommit(context.git, target, "HEAD");
  if (head.isErr() || head.value === null) return null;
  const decision = decideRecovery(world.run, {
    of: "committing",
    head: head.value.sha,
    headParent: head.value.parents[0] ?? null,
    headIsOurs: isCommitOfRun(head.value.message, world.run.id),
  });
  return decision.action === "adopt_commit" ? head.value : null;
}

/**
 * The run changed nothing, and its branch was at an unpublished merge when it began. Null if there is no such merge, or
 * if the run must conclude one.
 */
async function mergedBefore(
  context: Uses<"db" | "git" | "paths">,
  world: RunWorld,
  target: GitTarget,
): Promise<Step | null> {
  const merge = await unpublishedMerge(context, world);
  if (merge.isErr()) return gitFailed("commit", merge.error);
  if (merge.value === null || merge.value.tree !== world.run.tree) return null;
  const start = await readStart(context, world.run.id);
  if (start === null || start.merging !== null) return null;
  const head = await readHead(context.git, target);
  if (head.isErr()) return gitFailed("commit", head.error);
  return head.value.sha === merge.value.sha
    ? afterChecks(context, world, merge.value.sha)
    : changedMeanwhile(world);
}

/** There is nothing to commit: what the branch is at was checked. */
async function checkedAgain(context: Uses<"db" | "git">, world: RunWorld, target: GitTarget): Promise<Step> {
  const head = await readHead(context.git, target);
  if (head.isErr()) return gitFailed("commit", head.error);
  const { sha } = head.value;
  return sha === null || sha !== world.run.startSha
    ? changedMeanwhile(world)
    : afterChecks(context, world, sha);
}

async function makeCommit(
  context: GitContext,
  world: RunWorld,
  { target, message }: { readonly target: GitTarget; readonly message: string },
) {
  const { run, attempt, configuration } = world;
  return journaled(
    context,
    {
      kind: "commit",
      subject: { type: "run", id: run.id },
      before: { branch: attempt.branch, sha: run.startSha, tree: run.tree },
      undoable: true,
    },
    () =>
      commit(context.git, target, {
        branch: attempt.branch,
        message,
        identity: null,
        sign: configuration.values.sign,
        hooks: { mode: "off" },
      }),
    (made: Committed) => ({ branch: attempt.branch, sha: made.sha, tree: made.tree }),
  );
}

/** Publishes only what the gate has read. If a required check failed, the commit stays here. */
async function afterCommit(
  context: GitContext & Uses<"paths">,
  world: RunWorld,
  commit: { readonly target: GitTarget; readonly made: Committed },
): Promise<Step> {
  const proved = await proveCommit(context, world, commit);
  if (proved.isErr()) return proved.error;
  return afterChecks(context, world, commit.made.sha);
}

async function afterChecks(context: Uses<"db">, world: RunWorld, sha: string): Promise<Step> {
  const red = (await checksOfRun(context.db.reader, world.run.id)).filter(
    (check) => check.required && check.outcome !== "passed",
  );
  const first = red[0];
  if (first === undefined) return { event: "committed", run: { commit: sha } };
  const names = red.map((check) => check.name).join(", ");
  return failed("check_failed", `The check ${names} failed: ${lastLine(first.output)}`, {
    details: { checks: red.map(({ name, outcome, exitCode }) => ({ name, outcome, exit_code: exitCode })) },
    run: { commit: sha },
  });
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1)?.slice(0, 200) || "it printed nothing";
}
