/** Commits the staged tree with the run's message, once (seed 003, phase 3). */
import { isCommitOfRun } from "../../domain/run/commit-message.ts";
import { failure } from "../../domain/run/failure.ts";
import { decideRecovery } from "../../domain/run/recovery.ts";
import { type Committed, commit } from "../../git/commit.ts";
import { readIdentity } from "../../git/identity.ts";
import { readCommit } from "../../git/read-commit.ts";
import { readHead } from "../../git/refs.ts";
import type { GitTarget } from "../../git/run-git.ts";
import { probeSigning } from "../../git/signing.ts";
import { checksOfRun } from "../../storage/checks.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { ensureBranch } from "../worktrees/ensure-branch.ts";
import { lfsOf } from "../worktrees/known-trees.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import { agreedMessage } from "./agreed-message.ts";
import { commitMadeBefore } from "./commit-made-before.ts";
import { gitFailed } from "./git-failure.ts";
import { proveCommit } from "./prove-commit.ts";
import { failed, note, type RunWorld, type Step } from "./step.ts";

/** COMMITTING: ends with the commit, which a crash in the middle never makes twice. */
export async function commitRun(context: ServiceContext, world: RunWorld): Promise<Step> {
  const target = worktreeTarget(world.attempt);
  const made = world.resumed ? await committedBefore(context, world, target) : null;
  if (made !== null) return afterCommit(context, world, { target, made });
  if (world.signal.aborted || world.run.stopRequest !== null) return { event: "cancel" };
  // Without its branch the commit would begin a history of its own.
  const head = await readHead(context.git, target);
  if (head.isOk() && head.value.sha === null) {
    const branch = await ensureBranch(context, world);
    if (branch.isErr()) return gitFailed("commit", branch.error);
  }
  const lfs = await lfsOf(context, target, world.run.tree ?? "");
  if (lfs.isErr()) return gitFailed("commit", lfs.error);
  if (lfs.value.used && !(lfs.value.installed && lfs.value.configured))
    return failed(
      "lfs_missing",
      "This repository keeps large files with Git LFS, and git-lfs is not installed (or not set up) here.",
    );
  const message = await agreedMessage(context, world, target);
  if (message.isErr()) return message.error;
  const found = await commitMadeBefore(context, world, { target, message: message.value });
  if (found.isErr()) return gitFailed("commit", found.error);
  if (found.value !== null)
    return withNotes(await afterCommit(context, world, { target, made: found.value }), [FOUND]);
  const committed = await makeCommit(context, world, { target, message: message.value });
  if (committed.isErr()) return commitFailed(context, world, { target, error: committed.error });
  return afterCommit(context, world, { target, made: committed.value });
}

const FOUND = note(
  "commit_found",
  "The commit that was put back was this run's own, made before an older copy of the database was put in place; it stands again.",
);

function withNotes(step: Step, notes: NonNullable<Step["notes"]>): Step {
  return { ...step, notes: [...(step.notes ?? []), ...notes] };
}

/** "Nothing to commit" may be the answer to a commit that was made after all. */
async function commitFailed(
  context: ServiceContext,
  world: RunWorld,
  of: { readonly target: GitTarget; readonly error: { readonly kind: string; readonly message: string } },
): Promise<Step> {
  const { target, error } = of;
  const made = error.kind === "nothing_to_commit" ? await committedBefore(context, world, target) : null;
  if (made !== null) return afterCommit(context, world, { target, made });
  return (await signingFailed(context, world, target)) ?? gitFailed("commit", error);
}

/** Where signing is what went wrong, the person is told so, and what to do. Nobody is ever asked for a passphrase. */
async function signingFailed(
  context: ServiceContext,
  world: RunWorld,
  target: GitTarget,
): Promise<Step | null> {
  if (world.configuration.values.sign === "off") return null;
  const identity = await readIdentity(context.git, target);
  if (identity.isErr()) return null;
  const facts = await probeSigning(context.git, target, identity.value);
  if (facts.isErr() || !facts.value.wanted || facts.value.works) return null;
  const { format, reason } = facts.value;
  return {
    event: "fail",
    failure: failure(
      "commit_failed",
      `Your git signs commits (${format}), and that does not work without asking: ${reason}`,
      {
        remedy:
          "Unlock the key (its agent), or set `sign` to `off` in the configuration, then `tazuna retry RUN`. The files are kept.",
      },
    ),
  };
}

/** HEAD where it is this run's commit already, made before a crash; else null. */
async function committedBefore(
  context: ServiceContext,
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

async function makeCommit(
  context: ServiceContext,
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

/** Only what the gate has read is published; and a required check that failed keeps the commit here. */
async function afterCommit(
  context: ServiceContext,
  world: RunWorld,
  of: { readonly target: GitTarget; readonly made: Committed },
): Promise<Step> {
  const proved = await proveCommit(context, world, of);
  if (proved.isErr()) return proved.error;
  const { sha } = of.made;
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
