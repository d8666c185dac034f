/** Shows what opening an attempt's pull request would send, and its commit message; the forge is not asked. */
import { err, ok, type Result } from "neverthrow";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { mergeWords } from "../../domain/pull-request/merge-words.ts";
import type { ShipDraft } from "../../domain/pull-request/ship-draft.ts";
import { isCommitDue, messageFor } from "../../domain/pull-request/ship-draft.ts";
import { isCommitUndone } from "../../domain/undo/undone-commit.ts";
import { readCommit } from "../../git/refs/read-commit.ts";
import { pullRequestOf } from "../../storage/tables/pull-requests.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { DEFAULT_CONFIGURATION } from "../configuration/load-configuration.ts";
import type { PullRequestPreview } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { notFound, type Refusal } from "../core/refusal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import { readShipDraft } from "../drafts/ship-draft.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { ownMessage } from "../runs/commit/own-message.ts";
import { attemptWords } from "./attempt-words.ts";
import type { ForgeContext } from "./find-forge.ts";
import { wordsHash } from "./store-pull-request.ts";
import { whatIsSent } from "./what-is-sent.ts";

type PreviewContext = ForgeContext & Uses<"db" | "tokens" | "executors">;

/** If none can be opened now, the words are as they would be, and `refusal` says why. */
export async function previewPullRequest(
  context: PreviewContext,
  attemptId: string,
): Promise<Result<PullRequestPreview, Refusal>> {
  const place = await findPlace(context.db.reader, attemptId);
  if (place === null) return err(notFound("attempt", attemptId));
  const { attempt } = place;
  const sent = await whatIsSent(context, place);
  const existing = await pullRequestOf(context.db.reader, attemptId);
  const words = sent.isOk() ? sent.value.now : await wordsAnyway(context, place);
  // The words of people stay there. Of the body it is only known whether Tazuna wrote it last.
  const isThere = existing !== null && existing.number !== null && existing.state === "open";
  const keeps = {
    title: isThere && existing.wrote.title !== wordsHash(existing.title),
    body: isThere && existing.wrote.body === null,
  };
  return ok({
    title: keeps.title ? (existing?.title ?? words.title) : words.title,
    body: words.body,
    keeps,
    base: isThere ? existing.baseBranch : attempt.base.branch,
    head: attempt.branch,
    draft: false,
    refusal: sent.isErr() ? sent.error : null,
    existing,
    merge: existing === null ? null : mergeWords(existing),
    commit: await messageOf(context, place),
    typed: await typedOf(context, place),
  });
}

/** From the newest commit there is, in the form for the most common forge. */
async function wordsAnyway(context: PreviewContext, place: AttemptPlace) {
  const runs = await runsOfAttempt(context.db.reader, place.attempt.id);
  const commit = runs.findLast((run) => run.commit !== null)?.commit ?? place.attempt.base.sha ?? "HEAD";
  return attemptWords(context, place, { commit, kind: "github" });
}

/** Of what is still to be committed; else of the newest commit. Null if there is neither. */
async function messageOf(engine: PreviewContext, place: AttemptPlace): Promise<PullRequestPreview["commit"]> {
  const { repository, task, attempt } = place;
  const runs = workOf(await runsOfAttempt(engine.db.reader, attempt.id));
  const last = runs.at(-1);
  const settings = { ...task.settings, ...last?.options.settings };
  const configuration = (await engine.configuration(repository, settings)).unwrapOr(DEFAULT_CONFIGURATION);
  const context = withRepositoryGit(engine, { repository, configuration });
  if (last !== undefined && isCommitDue(runs)) {
    const world = { ...place, run: last, configuration, earlier: runs.slice(0, -1) };
    const own = await ownMessage(context, world);
    return own.isErr() ? null : { sha: null, message: own.value.message };
  }
  const made = runs.findLast(({ commit, notes }) => commit !== null && !isCommitUndone(notes))?.commit;
  const read =
    made === undefined || made === null
      ? null
      : await readCommit(context.git, repositoryTarget(repository), made);
  const commit = read?.unwrapOr(null) ?? null;
  return commit === null ? null : { sha: commit.sha, message: commit.message };
}

/** A message that was meant for a commit which is made by now is not shown any more. */
async function typedOf({ db }: Uses<"db">, { attempt }: AttemptPlace): Promise<ShipDraft> {
  const runs = workOf(await runsOfAttempt(db.reader, attempt.id));
  const draft = await readShipDraft(db.reader, attempt.id);
  const isDue = messageFor(draft, runs) !== null && isCommitDue(runs);
  return isDue ? draft : { ...draft, message: null };
}
