/** Pushes a branch as seed 003 says: if others pushed first, it merges and tries again, at most twice. */
import { err, ok, type Result } from "neverthrow";
import type { RunNote } from "../../../domain/run/run.ts";
import type { GitError } from "../../../git/process/git-error.ts";
import { readRef } from "../../../git/refs/refs.ts";
import { type PushFailure, type PushResult, push } from "../../../git/remote/push.ts";
import type { Remote } from "../../../git/remote/remote.ts";
import { pushTarget } from "../../branches/reattach-worktree.ts";
import type { ServiceContext } from "../../core/context.ts";
import type { GitContext, WorktreeContext } from "../../core/context-parts.ts";
import { journaled } from "../../core/journal.ts";
import { causeOf, gitFailed } from "../../run-core/git-failure.ts";
import { failed, note, type RunWorld, type Step } from "../../run-core/step.ts";
import { holderOf, inTheWay, isNeverPushed, takeAnotherName } from "./claim-name.ts";
import { holdBranch } from "./hold-branch.ts";
import { mergeRemote } from "./merge-remote.ts";

/** Merges after which a push is tried again (seed 003, "Push With Retry"). */
const MOST_RETRIES = 2;
/** The most names to try if others keep taking them. */
const MOST_NAMES = 5;

/** The step that the push leads to; `canceled` if a person stopped it meanwhile. */
export async function pushWithRetry(
  context: WorktreeContext,
  started: RunWorld,
  { remote, tip }: { readonly remote: Remote; readonly tip: string },
): Promise<Step | "canceled"> {
  const { commit } = started.run;
  // An engine had merged, and was killed before it could record that.
  const notes = commit === null || tip === commit ? [] : [mergedNote(started, remote, tip)];
  const end = (step: Step): Step => ({ ...step, notes: [...(step.notes ?? []), ...notes] });
  let { world, how } = await beforeFirstPush(context, started, { remote, tip, notes });
  for (let [sha, retries, names] = [tip, 0, 0]; ; ) {
    const result = await pushOnce(context, world, { remote, sha, how });
    if (result.isErr() && result.error.kind === "canceled") return "canceled";
    const held = await holdBranch(context, world, { sha, files: "stay" });
    if (held.isOk() && held.value !== null) notes.push(held.value);
    if (result.isErr()) return end(gitFailed("push", result.error));
    if (result.value.success) return end(pushed(sha, held.isErr() ? [notHeld(sha, held.error)] : []));
    if (!(await mayGoOn(context, world, { ...result.value, remote, how })))
      return end(pushFailed(result.value.error));
    if (held.isErr()) return end(held.error);
    if (how === "create") {
      const stays = result.value.error.at?.arrived.length ? pushFailed(result.value.error) : null;
      const cannot = stays ?? (names++ < MOST_NAMES ? null : keptMoving());
      const claimed = await claimName(context, world, { remote, sha, cannot });
      if (claimed.isErr()) return end(claimed.error);
      ({ world, how } = claimed.value);
      notes.push(...claimed.value.notes);
      continue;
    }
    if (retries++ === MOST_RETRIES) return end(keptMoving());
    const merged = await mergeRemote(context, world, { remote, sha });
    if (merged.isErr()) return end(merged.error);
    if (merged.value !== sha) notes.push(mergedNote(world, remote, merged.value));
    sha = merged.value;
  }
}

/**
 * Commits at another address than the fetch address cannot be merged. A name that is impossible on the remote is given
 * up.
 */
async function mayGoOn(
  context: Pick<ServiceContext, "git">,
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
  context: GitContext & Pick<ServiceContext, "locks">,
  world: RunWorld,
  first: { readonly remote: Remote; readonly tip: string; readonly notes: RunNote[] },
): Promise<{ world: RunWorld; how: How }> {
  if (!isNeverPushed(world)) return { world, how: "update" };
  const push = { remote: first.remote, sha: first.tip };
  const isOthers =
    first.remote.pushUrls.length > 1 &&
    (await holderOf(context, world, push)).map((holder) => holder === "others").unwrapOr(false);
  const renamed = isOthers ? await takeAnotherName(context, world, push) : null;
  // The cause of this failure stops the push as well, and the push reports it.
  if (!renamed?.isOk()) return { world, how: "create" };
  first.notes.push(renamed.value.note);
  return { world: renamed.value.world, how: "create" };
}

type How = "create" | "update";

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
  context: GitContext & Pick<ServiceContext, "locks">,
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

function mergedNote({ attempt }: RunWorld, remote: Remote, sha: string): RunNote {
  const from = `${remote.name}/${attempt.branch}`;
  const message = `Others had pushed to ${from}: it was merged (${sha.slice(0, 8)}) before the push was tried again.`;
  return note("remote_merged", message, { from, commit: sha });
}

function keptMoving(): Step {
  return failed(
    "push_rejected",
    `The remote branch kept moving: after ${MOST_RETRIES} merges the push was still refused.`,
  );
}

/** Despite the failure, the remote has the right commit. */
function notHeld(sha: string, { failure }: Step): RunNote {
  const message = `The branch may be elsewhere than at ${sha.slice(0, 8)}, which was pushed: ${failure?.message ?? ""}`;
  return note("branch_unproved", message, { sha });
}

async function pushOnce(
  context: GitContext & Pick<ServiceContext, "locks">,
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
    upstream: isFirst ? ("set" as const) : ("keep" as const),
    signal: world.signal,
  };
  const known = await readRef(context.git, target, `refs/remotes/${remote.name}/${attempt.branch}`);
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

/** The run's success: the remote has this commit. */
export function pushed(sha: string, notes: Step["notes"]): Step {
  return {
    event: "finish",
    run: { outcome: "pushed", commit: sha },
    ...(notes === undefined ? {} : { notes }),
  };
}

function pushFailed(error: PushFailure): Step {
  const details = error.at === undefined ? {} : { url: error.at.url, arrived: error.at.arrived };
  const message = atAddress(error, error.kind === "remote_rejected" ? error.reason : error.message);
  switch (error.kind) {
    case "remote_auth":
      return failed("push_auth", message, { details: { ...details, cause: causeOf(error) } });
    case "remote_unreachable":
      return failed("remote_unreachable", message, { details: { ...details, cause: causeOf(error) } });
    case "remote_rejected":
      return failed("push_rejected", message, { details: { remote: error.remoteSaid, ...details } });
    case "behind":
      return failed("push_rejected", message, { details });
  }
}

/** If there are several addresses, names the one that failed and how many have the commit. */
function atAddress({ kind, at }: PushFailure, message: string): string {
  const refused = kind === "remote_rejected" ? "refused the push: " : "";
  if (at === undefined) return refused === "" ? message : `The remote ${refused}${message}`;
  const others = at.arrived.length === 0 ? "" : ` (${at.arrived.join(", ")} took it)`;
  return `${at.url} ${refused || "did not get the push: "}${message}${others}`;
}
