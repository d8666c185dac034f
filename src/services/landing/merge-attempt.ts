/** Merges an attempt into the local branch that it began from, or tells that it is merged already. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Merged } from "../../domain/attempt/attempt.ts";
import { countApart } from "../../git/refs/rev-list.ts";
import { transact } from "../../storage/transact.ts";
import { noteMerged } from "../attempts/note-merged.ts";
import type { MergeAnswer } from "../core/answer-shapes.ts";
import type { Uses, WorktreeContext } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { notFound, type Refusal, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import type { MergeRequest } from "../core/request-shapes.ts";
import type { LookContext } from "../pull-requests/look-at-pull-request.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { cloneRefusal, mendedOn } from "../repositories/clone-refusal.ts";
import { fetchRepository } from "../repositories/fetch-repository.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { mergedInto } from "./find-merge.ts";
import { findTarget, type Target } from "./find-target.ts";
import { type Landing, readLanding } from "./landing-world.ts";
import { makeMerge } from "./make-merge.ts";
import { mergeOnForge } from "./merge-on-forge.ts";
import { moveTarget, notMoved, placeToMerge } from "./move-target.ts";

type LandingContext = WorktreeContext & LookContext & Uses<"tokens" | "executors" | "shell" | "forgeNews">;

/** One at a time for each attempt. A repeated call answers that it is merged already. */
export async function mergeAttempt(
  engine: LandingContext,
  request: MergeRequest,
): Promise<Result<MergeAnswer, Refusal>> {
  return engine.attemptLock.run(request.attempt, async () => {
    const place = await findPlace(engine.db.reader, request.attempt);
    if (place === null) return err(notFound("attempt", request.attempt));
    const context = await loadRepositoryGit(engine, place);
    return safeTry(async function* () {
      const landing = yield* await readLanding(context, request.attempt);
      yield* await bringUpToDate(context, landing);
      const onForge = yield* await mergeOnForge(context, landing, request);
      const merged = onForge ?? (yield* await mergeOrTell(context, landing, request));
      const target = (await findTarget(context, landing)).unwrapOr(null);
      return ok(await answerOf(context, landing, { merged, target }));
    });
  });
}

/** Nobody else fetches into a clone: what is merged there would soon not fit what the remote has. */
async function bringUpToDate(
  context: LandingContext,
  { attempt, repository, configuration }: Landing,
): Promise<Result<void, Refusal>> {
  const { url, commonDir } = repository;
  if (url === null || attempt.merged !== null) return ok(undefined);
  const remotes = await remotesOf(context, { commonDir, configuration });
  const remote = remotes.unwrapOr(null)?.fetch ?? null;
  const fetched = await fetchRepository(context, repository, { remote, signal: context.engineStop });
  const again = `tazuna merge ${shortId(attempt.id)}`;
  if (fetched.isOk()) return ok(undefined);
  return err(cloneRefusal(fetched.error, { url, again, what: "fetched", on: await mendedOn(context) }));
}

/** If the target was moved meanwhile, the merge is made once more on its new tip. */
async function mergeOrTell(
  context: LandingContext,
  landing: Landing,
  request: MergeRequest,
): Promise<Result<Merged, Refusal>> {
  const first = await mergeOnce(context, landing, request);
  return first.isErr() && first.error.code === "target_moved" ? mergeOnce(context, landing, request) : first;
}

async function mergeOnce(
  context: LandingContext,
  landing: Landing,
  { squash, here }: MergeRequest,
): Promise<Result<Merged, Refusal>> {
  return safeTry(async function* () {
    const target = yield* await findTarget(context, landing);
    const before = await mergedBefore(context, landing, target);
    if (before !== null) return ok(before);
    const place = () => placeToMerge(context, landing, { target, here, squash });
    yield* await place();
    const to = yield* await makeMerge(context, landing, { target: target.name, at: target.at, squash });
    const move = { landing, target, to, squash };
    return context.locks.shared(landing.repository.commonDir, async () => {
      // A person may have checked it out while the merge was made.
      const holder = await place();
      if (holder.isErr()) return err(holder.error);
      const moved = await moveTarget(context, move, holder.value);
      return moved.mapErr((error) => notMoved(move, holder.value, error));
    });
  });
}

/** Stores what was not known before. Null if nothing proves that it is merged. */
async function mergedBefore(
  context: LandingContext,
  landing: Landing,
  target: Target,
): Promise<Merged | null> {
  const merged = await mergedInto(context, landing, target);
  if (merged === null || merged === landing.attempt.merged) return merged;
  await transact(context.db, (trx) => noteMerged(trx, landing.attempt, { at: merged.at, merged }));
  context.newFacts.notify();
  return merged;
}

async function answerOf(
  context: Uses<"git">,
  { repository }: Landing,
  { merged, target }: { readonly merged: Merged; readonly target: Target | null },
): Promise<MergeAnswer> {
  const tracking = target?.tracking ?? null;
  const place = repositoryTarget(repository);
  const apart =
    tracking &&
    target &&
    (await countApart(context.git, place, { mine: target.at, theirs: tracking.at })).unwrapOr(null);
  const remote = tracking && apart && { name: tracking.remote, branch: tracking.name, ...apart };
  const { target: name, commit, by } = merged;
  return { target: name, commit, by, repository: repository.path, remote };
}
