/** Merges the open pull request of an attempt on its forge, and fetches what came of it. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Merged } from "../../domain/attempt/attempt.ts";
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { pullRequestOf } from "../../storage/tables/pull-requests.ts";
import { noteMerged } from "../attempts/note-merged.ts";
import type { Uses } from "../core/context-parts.ts";
import { journaled } from "../core/journal.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";
import { forgeRefusal } from "../pull-requests/forge-refusal.ts";
import { type LookContext, lookAtPullRequest } from "../pull-requests/look-at-pull-request.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { fetchRepository } from "../repositories/fetch-repository.ts";
import type { Landing } from "./landing-world.ts";

type ForgeMergeContext = LookContext & Uses<"locks" | "shell" | "forgeNews" | "ownDepot">;

/**
 * Null if the attempt has no open pull request. The forge's protections hold, and it merges only the commit that is
 * named. One that somebody merged meanwhile is merged already.
 */
export async function mergeOnForge(
  context: ForgeMergeContext,
  landing: Landing,
  { squash }: { readonly squash: boolean },
): Promise<Result<Merged | null, Refusal>> {
  const { attempt } = landing;
  const known = await pullRequestOf(context.db.reader, attempt.id);
  if (known?.state === "merged" && isOfNow(landing, known))
    return ok(await mergedMeanwhile(context, landing));
  if (known?.number == null || known.state !== "open") return ok(null);
  const looked = await lookAtPullRequest(context, attempt.id);
  if (looked === null) return ok(null);
  const again = `tazuna merge ${shortId(attempt.id)}${squash ? " --squash" : ""}`;
  if (looked.error !== null) return err(forgeRefusal(looked.error, attempt.id, again));
  const { tracked, at } = looked;
  if (tracked.state === "merged") return ok(await mergedMeanwhile(context, landing));
  if (tracked.state !== "open" || tracked.number === null || at === null) return ok(null);
  if (tracked.head.sha !== landing.tip) return err(movedRefusal(landing, tracked));
  const { number } = tracked;
  return safeTry(async function* () {
    const merged = yield* await journaled(
      context,
      {
        kind: "merge_on_forge",
        subject: { type: "attempt", id: attempt.id },
        before: { branch: tracked.baseBranch, url: tracked.url, tip: landing.tip, squash },
      },
      async () => {
        const done = await at.forge.merge(number, { sha: landing.tip, squash, title: null });
        return done
          .map(({ commit }): Merged => mergedBy(context, landing, { tracked, commit }))
          .mapErr((error) => forgeRefusal(error, attempt.id, again));
      },
      ({ commit }) => ({ branch: tracked.baseBranch, sha: commit }),
      (trx, done) => noteMerged(trx, attempt, { at: done.at, merged: done }),
    );
    await fetchMerged(context, landing);
    await lookAtPullRequest(context, attempt.id);
    context.forgeNews.notify();
    return ok(merged);
  });
}

/**
 * Whether the merged pull request brought in the attempt as it is now, and not before a later follow-up. After a kill
 * between the merge and its record, the engine may see it merged before the request is repeated.
 */
function isOfNow({ attempt, tip }: Landing, { head }: Tracked): boolean {
  return attempt.merged === null || head.sha === tip;
}

/** What was stored when the pull request was seen to be merged; null if a person has taken that back. */
async function mergedMeanwhile(context: ForgeMergeContext, landing: Landing): Promise<Merged | null> {
  if (landing.attempt.merged === null) await fetchMerged(context, landing);
  return (await getAttempt(context.db.reader, landing.attempt.id))?.merged ?? null;
}

/** If it cannot be fetched now, the next run does it. */
async function fetchMerged(
  context: ForgeMergeContext,
  { repository, configuration }: Landing,
): Promise<void> {
  const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
  const remote = remotes.unwrapOr(null)?.fetch ?? null;
  await fetchRepository(context, repository, { remote, signal: context.engineStop });
}

function mergedBy(
  { clock }: Uses<"clock">,
  { tip }: Landing,
  { tracked, commit }: { readonly tracked: Tracked; readonly commit: string | null },
): Merged {
  const target = tracked.baseBranch;
  return { at: clock.iso(), commit: commit ?? tip, tip, target, before: null, by: "forge" };
}

/** What people see there must be what is here. */
function movedRefusal({ attempt, tip }: Landing, { head, url }: Tracked): Refusal {
  const id = shortId(attempt.id);
  const message = `The pull request ${url} is at ${head.sha?.slice(0, 12)}, and the attempt at ${tip.slice(0, 12)}.`;
  return refuse("conflict", "pull_request_moved", message, {
    remedy: `\`tazuna continue ${id}\` brings what others pushed, and publishes what is here; then merge again.`,
    details: { attempt: attempt.id, head: head.sha, commit: tip },
  });
}
