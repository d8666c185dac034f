/** Opens the pull request of an attempt, or updates the one that is there (seed 003 Pull request). */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import { titleWords } from "../../domain/pull-request/words.ts";
import { pushedHeads } from "../../git/remote/ls-remote.ts";
import { createdUnder } from "../../storage/tables/idempotency-keys.ts";
import { getPullRequest, pullRequestOf } from "../../storage/tables/pull-requests.ts";
import type { JournalContext, Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { notFound, type Refusal, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import type { OpenPullRequest } from "../core/request-shapes.ts";
import { forgetPullDraft, readShipDraft } from "../drafts/ship-draft.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { redactorOf } from "./attempt-words.ts";
import type { ForgeAt, ForgeContext } from "./find-forge.ts";
import { notPushed } from "./pushed-commit.ts";
import { settlePullRequest } from "./settle-pull-request.ts";
import { pullRequestLock } from "./store-pull-request.ts";
import { whatIsSent } from "./what-is-sent.ts";

type OpenContext = JournalContext & ForgeContext & Uses<"attemptLock" | "tokens" | "shell" | "forgeNews">;

/** The pull request as it is now. One that a person opened is taken over; the words of people stay. */
export async function openPullRequest(
  context: OpenContext,
  request: OpenPullRequest,
  key: string | null,
): Promise<Result<Tracked, Refusal>> {
  const known = await openedUnder(context, key);
  if (known !== null && known.wanted === null) return ok(known);
  const place = await findPlace(context.db.reader, request.attempt);
  if (place === null) return err(notFound("attempt", request.attempt));
  const { id } = place.attempt;
  const opened = await context.attemptLock.run(pullRequestLock(id), async () => {
    // A look may have made it, or found it, while this waited for the lock.
    const now = await openedUnder(context, key);
    if (now !== null && now.wanted === null) return ok(now);
    return open(context, place, { ...request, key: now === null ? key : null });
  });
  context.forgeNews.notify();
  return opened;
}

/**
 * What an earlier try of the same request came to; null if there was none. After a crash it may be stored that a pull
 * request is wanted, and nothing more.
 */
async function openedUnder({ db }: Uses<"db">, key: string | null): Promise<Tracked | null> {
  const id = key === null ? null : await createdUnder(db.reader, key);
  return id === null ? null : getPullRequest(db.reader, id);
}

async function open(
  context: OpenContext,
  place: AttemptPlace,
  request: OpenPullRequest & { readonly key: string | null },
): Promise<Result<Tracked, Refusal>> {
  return safeTry(async function* () {
    const { attempt } = place;
    const before = await readShipDraft(context.db.reader, attempt.id);
    const { base, at, commit, now } = yield* await whatIsSent(context, place);
    const redact = redactorOf(context);
    const given = {
      title: request.title === null ? null : redact(titleWords(request.title)),
      body: request.body === null ? null : redact(request.body),
      draft: request.draft,
    };
    const known = await pullRequestOf(context.db.reader, attempt.id);
    const tracked = known ?? newTracked(context, { place, at, base });
    const settled = await settlePullRequest(context, {
      place,
      at,
      tracked,
      now,
      given,
      commit,
      key: request.key,
    });
    if (settled.isOk()) await forgetPullDraft(context, attempt.id, { before, named: request });
    return settled.isErr() ? err(await explained(context, { place, at }, settled.error)) : settled;
  });
}

/** A branch that somebody deleted there is what a forge refuses most often, in words of its own. */
async function explained(
  engine: OpenContext,
  { place, at }: { readonly place: AttemptPlace; readonly at: ForgeAt },
  refusal: Refusal,
): Promise<Refusal> {
  // Gitea says of a branch that is gone that it was not found.
  if (refusal.code !== "forge_refused" && refusal.code !== "forge_not_found") return refusal;
  const { attempt, repository } = place;
  const { git } = await loadRepositoryGit(engine, place);
  const heads = await pushedHeads(git, repositoryTarget(repository), {
    remote: at.push,
    branch: attempt.branch,
  });
  const isGone = heads.isOk() && heads.value.every((sha) => sha === null);
  return isGone ? notPushed(shortId(attempt.id), attempt.branch) : refusal;
}

function newTracked(
  context: Uses<"newId" | "clock">,
  { place, at, base }: { readonly place: AttemptPlace; readonly at: ForgeAt; readonly base: string },
): Tracked {
  const now = context.clock.iso();
  return {
    id: context.newId(),
    attemptId: place.attempt.id,
    apiUrl: at.place.apiUrl,
    repository: `${at.place.owner}/${at.place.name}`,
    number: null,
    url: null,
    state: null,
    draft: false,
    title: "",
    head: { branch: at.head.branch, sha: null },
    baseBranch: base,
    mergeable: null,
    mergeBlock: null,
    mergeCommit: null,
    author: null,
    checks: [],
    threads: [],
    wanted: null,
    wrote: { made: false, title: null, body: null },
    handed: [],
    trouble: null,
    quiet: 0,
    lookedAt: null,
    lookAt: now,
    createdAt: now,
  };
}
