/** Decides what to do if the remote has a branch of the attempt's name before the attempt was ever pushed. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { freeBranchName, nameInTheWay } from "../../../domain/repository/branch-names.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import { listRefs } from "../../../git/refs/refs.ts";
import { sharesCommit } from "../../../git/refs/rev-list.ts";
import { fetchBranch } from "../../../git/remote/fetch.ts";
import { pushedBranches, pushedHeads } from "../../../git/remote/ls-remote.ts";
import type { Remote } from "../../../git/remote/remote.ts";
import { renameBranch } from "../../branches/rename-branch.ts";
import type { GitContext, Uses } from "../../core/context-parts.ts";
import { gitFailed, gitFailedAt } from "../../run-core/git-failure.ts";
import { failed, note, type RunWorld, type Step } from "../../run-core/step.ts";
import { repositoryTarget } from "../../run-core/targets.ts";

/** A branch that a person named may be on the remote already. The first push creates any other branch there. */
export function isNeverPushed({ attempt, earlier }: RunWorld): boolean {
  return !attempt.branchExisted && !earlier.some((run) => run.outcome === "pushed");
}

interface Push {
  readonly remote: Remote;
  /** The commit to push. */
  readonly sha: string;
}

/**
 * `own`: it holds work of this attempt, for example after a push whose answer was lost. `others`: another person took
 * the name. `mixed`: the one at one address, the other at another. `gone`: it is not there any more.
 */
type Holder = "own" | "others" | "mixed" | "gone";

export async function holderOf(
  context: Uses<"git" | "locks">,
  { attempt, repository }: RunWorld,
  { remote, sha }: Push,
): Promise<Result<Holder, Step>> {
  return safeTry(async function* () {
    const target = repositoryTarget(repository);
    const { branch } = attempt;
    const heads = yield* (await pushedHeads(context.git, target, { remote, branch })).mapErr(
      gitFailedAt("push"),
    );
    const there = heads.filter((head) => head !== null);
    if (there.length === 0) return ok<Holder>("gone");
    const fetched = await context.locks.shared(repository.commonDir, () =>
      fetchBranch(context.git, target, { remote, branch }),
    );
    // A commit that cannot be fetched was not made here.
    if (fetched.isErr() && fetched.error.kind === "remote_unreachable")
      return err(gitFailed("push", fetched.error));
    const found = new Set<Holder>();
    for (const head of there) {
      const own = yield* (await holdsOwnWork(context, { attempt, repository }, { head, sha })).mapErr(
        gitFailedAt("push"),
      );
      found.add(own ? "own" : "others");
    }
    const [first = "gone"] = found;
    return ok<Holder>(found.size > 1 ? "mixed" : first);
  });
}

/** Whether a commit of the remote contains work of this attempt, whose own commit is `sha`. */
export function holdsOwnWork(
  context: Uses<"git">,
  { attempt, repository }: Pick<RunWorld, "attempt" | "repository">,
  { head, sha }: { readonly head: string; readonly sha: string },
): Promise<Result<boolean, GitError>> {
  const histories = { one: head, other: sha, beyond: attempt.base.sha };
  return sharesCommit(context.git, repositoryTarget(repository), histories);
}

/**
 * The branch of the remote whose name makes this attempt's impossible. Null if there is none, or if the remote does not
 * answer.
 */
export async function inTheWay(
  context: Uses<"git">,
  { attempt, repository }: RunWorld,
  remote: Remote,
): Promise<string | null> {
  const there = await pushedBranches(context.git, repositoryTarget(repository), { remote });
  return nameInTheWay(attempt.branch, there.unwrapOr(new Set()));
}

/**
 * The world with a free name, and the note that says so. If a folder of the name is a branch by now, no other name
 * helps.
 */
export async function takeAnotherName(
  context: GitContext & Uses<"locks">,
  world: RunWorld,
  { remote, sha, asked = false }: Push & { /** By a person. */ readonly asked?: boolean },
): Promise<Result<{ readonly world: RunWorld; readonly note: ReturnType<typeof note> }, Step>> {
  return safeTry(async function* () {
    const target = repositoryTarget(world.repository);
    const from = world.attempt.branch;
    const there = yield* (await pushedBranches(context.git, target, { remote })).mapErr(gitFailedAt("push"));
    const here = yield* (await listRefs(context.git, target, { prefixes: ["refs/heads"] })).mapErr(
      gitFailedAt("push"),
    );
    const names = here.map(({ name }) => name.slice("refs/heads/".length));
    const way = nameInTheWay(from, there);
    if (way !== null && from.startsWith(`${way}/`)) return err(blocked(from, way, remote));
    const to = freeBranchName(from, [...names, ...there]);
    const renamed = yield* (await renameBranch(context, world, { from, to, sha })).mapErr(
      gitFailedAt("push"),
    );
    const message = asked
      ? `As you asked, this attempt's branch is ${to} now; ${from} of ${remote.name} stays as others left it.`
      : `Another person made the branch ${way ?? from} on ${remote.name} meanwhile. This attempt's branch is ${to} now.`;
    return ok({ world: renamed, note: note("branch_renamed", message, { from, to }) });
  });
}

function blocked(branch: string, way: string, remote: Remote): Step {
  const message = `The branch ${branch} cannot be pushed beside the branch ${way} of ${remote.name}.`;
  return failed("branch_name_blocked", message, { details: { blocked_by: way, remote: remote.name } });
}
