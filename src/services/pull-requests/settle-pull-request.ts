/** Settles what is wanted on a forge: links the pull request that is there, brings it up to date, or makes one. */
import { err, ok, type Result } from "neverthrow";
import { changedWords, type GivenWords, type WordsChange } from "../../domain/pull-request/changed-words.ts";
import type { PullRequest } from "../../domain/pull-request/pull-request.ts";
import type { Tracked, Wrote } from "../../domain/pull-request/tracked.ts";
import type { ForgeError } from "../../forge/forge.ts";
import { pullRequestOf } from "../../storage/tables/pull-requests.ts";
import type { JournalContext, Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { journaled } from "../core/journal.ts";
import type { Refusal } from "../core/refusal.ts";
import type { ForgeAt } from "./find-forge.ts";
import { forgeRefusal, MAX_FAILURES, troubleOf } from "./forge-refusal.ts";
import { linkPullRequest, makePullRequest, storeTrouble, type Wanting } from "./make-pull-request.ts";
import { storePullRequest, withSeen, wordsHash } from "./store-pull-request.ts";

/** Everything that is known before anything is done there. */
interface Opening {
  readonly place: AttemptPlace;
  readonly at: ForgeAt;
  readonly tracked: Tracked;
  /** The words as Tazuna would write them now. */
  readonly now: { readonly title: string; readonly body: string };
  readonly given: GivenWords;
  /** The commit of the attempt that the remote has. */
  readonly commit: string;
  /** The idempotency key of the request; null if nobody asks for it now. */
  readonly key: string | null;
}

/** The caller holds the lock. */
export async function settlePullRequest(
  context: JournalContext,
  opening: Opening,
): Promise<Result<Tracked, Refusal>> {
  const { place, tracked, at } = opening;
  const looked = await lookThere(opening);
  if (looked.isErr())
    return err(await failed(context, opening, { after: tracked.wanted?.after ?? null, error: looked.error }));
  const found = looked.value;
  if (found !== null && isTheOne(found, opening)) {
    await linkPullRequest(context, place.attempt, { tracked, seen: found });
    return found.state === "open" ? update(context, opening, found) : reread(context, opening);
  }
  const after = found?.number ?? 0;
  const wanting = wantedOf(context, opening, after);
  const made = await makePullRequest(context, place.attempt, { at, tracked: wanting, key: opening.key });
  if (made.isErr()) return err(await failed(context, opening, { after, error: made.error }));
  return reread(context, opening);
}

/** The one that is followed, else what the branch has. */
async function lookThere({ at, tracked }: Opening): Promise<Result<PullRequest | null, ForgeError>> {
  if (tracked.number !== null && tracked.state === "open") {
    const read = await at.forge.read(tracked.number);
    if (read.isErr() || read.value.state === "open") return read;
  }
  return at.forge.find(at.head);
}

/** An open one, one that was asked for before a crash, or a merged one with all that there is. */
function isTheOne(found: PullRequest, { tracked, commit }: Opening): boolean {
  const { after = null } = tracked.wanted ?? {};
  if (found.state === "open" || (after !== null && found.number > after)) return true;
  return found.state === "merged" && found.head.sha === commit;
}

/** Changes only what is Tazuna's own there, and what the person asks for now. */
async function update(
  context: JournalContext,
  opening: Opening,
  shown: PullRequest,
): Promise<Result<Tracked, Refusal>> {
  const { place, at, now, given } = opening;
  const tracked = (await pullRequestOf(context.db.reader, opening.tracked.attemptId)) ?? opening.tracked;
  const change = changedWords({ shown, wrote: tracked.wrote, now, given, hash: wordsHash });
  if (Object.keys(change).length === 0) return ok(tracked);
  const { attempt } = place;
  const updated = await journaled(
    context,
    {
      kind: "pull_request_update",
      subject: { type: "attempt", id: attempt.id },
      before: { number: shown.number, title: shown.title, draft: shown.draft },
    },
    () => at.forge.update(shown.number, change),
    ({ number, title, draft }) => ({ number, title, draft }),
    async (trx, seen) => {
      const iso = context.clock.iso();
      const wrote = wroteAfter(tracked.wrote, { change, given });
      await storePullRequest(trx, attempt, { tracked: { ...withSeen(tracked, seen, iso), wrote }, at: iso });
    },
  );
  if (updated.isErr())
    return err(await failed(context, opening, { after: shown.number, error: updated.error }));
  return reread(context, opening);
}

/** Words that a person typed are theirs from now on. */
function wroteAfter(
  before: Wrote,
  { change, given }: { readonly change: WordsChange; readonly given: GivenWords },
): Wrote {
  const after = (part: "title" | "body") => {
    const words = change[part];
    if (words === undefined) return before[part];
    return given[part] === null ? wordsHash(words) : null;
  };
  return { made: before.made, title: after("title"), body: after("body") };
}

/** A limit, or a fault that may pass: the server goes on with it. Anything else ends what was wanted. */
async function failed(
  context: JournalContext,
  opening: Opening,
  { after, error }: { readonly after: number | null; readonly error: ForgeError },
): Promise<Refusal> {
  const { attempt } = opening.place;
  const at = context.clock.iso();
  const known = await pullRequestOf(context.db.reader, attempt.id);
  const trouble = troubleOf(error, at, known?.trouble ?? null);
  const goesOn = error.transient && trouble.times < MAX_FAILURES;
  const wanting = wantedOf(context, { ...opening, tracked: known ?? opening.tracked }, after);
  const later = known?.state === "open" ? at : null;
  await storeTrouble(context, attempt, {
    ...wanting,
    wanted: goesOn ? wanting.wanted : null,
    trouble,
    lookAt: goesOn ? (error.resumeAt ?? nextTry(context, trouble.times)) : later,
  });
  return forgeRefusal(error, attempt.id);
}

const FIRST_TRY_MS = 15_000;
const LAST_TRY_MS = 1_800_000;

function nextTry({ clock }: Uses<"clock">, times: number): string {
  const pause = Math.min(FIRST_TRY_MS * 2 ** Math.max(times - 1, 0), LAST_TRY_MS);
  return new Date(clock.now().getTime() + pause).toISOString();
}

function wantedOf({ clock }: Uses<"clock">, { tracked, now, given }: Opening, after: number | null): Wanting {
  const wanted = {
    title: given.title ?? now.title,
    body: given.body ?? now.body,
    draft: given.draft,
    given: { title: given.title !== null, body: given.body !== null },
    after,
  };
  return {
    ...tracked,
    title: tracked.number === null ? wanted.title : tracked.title,
    wanted,
    lookAt: clock.iso(),
  };
}

async function reread({ db }: Uses<"db">, { tracked }: Opening): Promise<Result<Tracked, Refusal>> {
  return ok((await pullRequestOf(db.reader, tracked.attemptId)) ?? tracked);
}
