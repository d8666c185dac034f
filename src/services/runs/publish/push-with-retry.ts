/** Pushes a branch; if others pushed first, merges and tries again, at most twice (seed 003 Push with retry, GitService). */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { RunNote } from "../../../domain/run/run.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import { readRef } from "../../../git/refs/refs.ts";
import { type PushResult, push } from "../../../git/remote/push.ts";
import type { Remote } from "../../../git/remote/remote.ts";
import { pushTarget } from "../../branches/reattach-worktree.ts";
import { wasRenamedBy } from "../../branches/rename-branch.ts";
import type { GitContext, Uses, WorktreeContext } from "../../core/context-parts.ts";
import { journaled } from "../../core/journal.ts";
import { gitFailedAt } from "../../run-core/git-failure.ts";
import { type RunWorld, type Step, withNotes } from "../../run-core/step.ts";
import { holderOf, inTheWay, isNeverPushed, takeAnotherName } from "./claim-name.ts";
import { holdBranch } from "./hold-branch.ts";
import { mergeRemote } from "./merge-remote.ts";
import { keptMoving, MAX_RETRIES, mergedNote, notHeld, pushed, pushFailed } from "./push-ending.ts";

/** The most names to try if others keep taking them. */
const MAX_NAMES = 5;

interface Pushing {
  readonly remote: Remote;
  /** The commit to push. */
  readonly tip: string;
}

/** The step that the push leads to; `canceled` if a person stopped it meanwhile. */
export async function pushWithRetry(
  context: WorktreeContext,
  started: RunWorld,
  { remote, tip }: Pushing,
): Promise<Step | "canceled"> {
  const { commit } = started.run;
  // An engine had merged, and was killed before it could record that.
  const notes = commit === null || tip === commit ? [] : [mergedNote(started, remote, tip)];
  const pushing = await pushToEnd(context, started, { remote, tip, notes });
  const step = pushing.isOk() ? pushing.value : pushing.error;
  return step === "canceled" ? step : withNotes(step, notes);
}

/** Adds to the notes what happens on the way. */
async function pushToEnd(
  context: WorktreeContext,
  started: RunWorld,
  { remote, tip, notes }: Pushing & { readonly notes: RunNote[] },
): Promise<Result<Step | "canceled", Step>> {
  return safeTry(async function* () {
    let { world, how } = yield* await beforeFirstPush(context, started, { remote, tip, notes });
    for (let [sha, retries, names] = [tip, 0, 0]; ; ) {
      const result = await pushOnce(context, world, { remote, sha, how });
      if (result.isErr() && result.error.kind === "canceled") return ok("canceled" as const);
      const held = await holdBranch(context, world, { sha, files: "stay" });
      if (held.isOk() && held.value !== null) notes.push(held.value);
      const answer = yield* result.mapErr(gitFailedAt("push"));
      if (answer.success) return ok(pushed(sha, held.isErr() ? [notHeld(sha, held.error)] : []));
      if (!(await mayGoOn(context, world, { ...answer, remote, how }))) return err(pushFailed(answer.error));
      yield* held;
      if (how === "create") {
        const stays = answer.error.at?.arrived.length ? pushFailed(answer.error) : null;
        const cannot = stays ?? (names++ < MAX_NAMES ? null : keptMoving());
        const claimed = yield* await claimName(context, world, { remote, sha, cannot });
        ({ world, how } = claimed);
        notes.push(...claimed.notes);
        continue;
      }
      if (retries++ === MAX_RETRIES) return err(keptMoving());
      const merged = yield* await mergeRemote(context, world, { remote, sha });
      if (merged !== sha) notes.push(mergedNote(world, remote, merged));
      sha = merged;
    }
  });
}

/**
 * Commits at another address than the fetch address cannot be merged. A name that is impossible on the remote is given
 * up.
 */
async function mayGoOn(
  context: Uses<"git">,
  world: RunWorld,
  refused: Extract<PushResult, { readonly success: false }> & { readonly remote: Remote; readonly how: How },
): Promise<boolean> {
  const { requiredPull, error, remote, how } = refused;
  if (how === "create")
    return (
      requiredPull || (error.kind === "remote_rejected" && (await inTheWay(context, world, remote)) !== null)
    );
  return requiredPull && (error.at === undefined || error.at.url === remote.fetchUrl);
}

/** If there are several addresses, asks each first: once one of them has the branch, its name stays. */
async function beforeFirstPush(
  context: GitContext & Uses<"locks">,
  world: RunWorld,
  first: { readonly remote: Remote; readonly tip: string; readonly notes: RunNote[] },
): Promise<Result<{ world: RunWorld; how: How }, Step>> {
  if (world.run.options.anotherBranch === true) return asAnother(context, world, first);
  if (!isNeverPushed(world)) return ok({ world, how: "update" });
  const push = { remote: first.remote, sha: first.tip };
  const isOthers =
    first.remote.pushUrls.length > 1 &&
    (await holderOf(context, world, push)).map((holder) => holder === "others").unwrapOr(false);
  const renamed = isOthers ? await takeAnotherName(context, world, push) : null;
  // The cause of this failure stops the push as well, and the push reports it.
  if (!renamed?.isOk()) return ok({ world, how: "create" });
  first.notes.push(renamed.value.note);
  return ok({ world: renamed.value.world, how: "create" });
}

type How = "create" | "update";

/** A person keeps the work beside what others put on the branch. */
async function asAnother(
  context: GitContext & Uses<"locks">,
  world: RunWorld,
  { remote, tip, notes }: Pushing & { readonly notes: RunNote[] },
): Promise<Result<Claimed, Step>> {
  if (await wasRenamedBy(context, world)) return ok({ world, how: "create", notes: [] });
  const renamed = await takeAnotherName(context, world, { remote, sha: tip, asked: true });
  return renamed.map((taken) => {
    notes.push(taken.note);
    return { world: taken.world, how: "create", notes: [] };
  });
}

interface Claimed {
  readonly world: RunWorld;
  readonly how: How;
  readonly notes: readonly RunNote[];
}

/**
 * The remote has a branch of that name. If others made it, this attempt's gets another name; else the push goes on with
 * it.
 */
async function claimName(
  context: GitContext & Uses<"locks">,
  world: RunWorld,
  /** `cannot` ends the run if the name cannot be given up. */
  refused: { readonly remote: Remote; readonly sha: string; readonly cannot: Step | null },
): Promise<Result<Claimed, Step>> {
  const holder = await holderOf(context, world, refused);
  if (holder.isErr()) return err(holder.error);
  if (holder.value === "own") return ok({ world, how: "update", notes: [] });
  if (refused.cannot !== null || holder.value === "mixed") return err(refused.cannot ?? keptMoving());
  if (holder.value === "gone" && (await inTheWay(context, world, refused.remote)) === null)
    return ok({ world, how: "create", notes: [] });
  const renamed = await takeAnotherName(context, world, refused);
  return renamed.map((taken) => ({ world: taken.world, how: "create", notes: [taken.note] }));
}

async function pushOnce(
  context: GitContext & Uses<"locks">,
  world: RunWorld,
  { remote, sha, how }: { readonly remote: Remote; readonly sha: string; readonly how: How },
): Promise<Result<PushResult, GitError>> {
  const { attempt, repository, earlier } = world;
  const target = await pushTarget(world);
  const isFirst = !earlier.some((run) => run.outcome === "pushed");
  const request = {
    remote: remote.name,
    addresses: remote.pushUrls,
    branch: attempt.branch,
    sha,
    how,
    upstream: isFirst || how === "create" ? ("set" as const) : ("keep" as const),
    signal: world.signal,
  };
  const tracking = `refs/remotes/${remote.name}/${attempt.branch}`;
  // Git refuses to create a branch that is there.
  const known = how === "create" ? ok(null) : await readRef(context.git, target, tracking);
  const made = await journaled(
    context,
    {
      kind: "push",
      subject: { type: "run", id: world.run.id },
      before: { remote: remote.name, branch: attempt.branch, sha: known.unwrapOr(null), commit: sha },
    },
    // Other runs wait for this lock: only git works under it.
    () => context.locks.pushing(repository.commonDir, () => push(context.git, target, request).then(asDone)),
    () => ({ remote: remote.name, branch: attempt.branch, sha }),
  );
  return made.orElse((error) => ("refused" in error ? ok(error.refused) : err(error)));
}

interface Refused {
  readonly message: string;
  readonly refused: PushResult;
}

/** For the journal, a push that the remote refused was not done. */
function asDone(pushed: Result<PushResult, GitError>): Result<PushResult, GitError | Refused> {
  return pushed.andThen((result) =>
    result.success ? ok(result) : err({ message: result.error.message, refused: result }),
  );
}
