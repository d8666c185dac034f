/** Looks at a pull request on its forge: stores what is new, goes on with what is wanted, and says when to look again. */

import { err, ok, type Result } from "neverthrow";
import type { Merged } from "../../domain/attempt/attempt.ts";
import { nextLook } from "../../domain/pull-request/next-look.ts";
import type { PullRequest } from "../../domain/pull-request/pull-request.ts";
import type { Tracked, Wanted } from "../../domain/pull-request/tracked.ts";
import type { ForgeError } from "../../forge/forge.ts";
import { isAncestor } from "../../git/refs/rev-list.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { pullRequestOf, savePullRequest } from "../../storage/tables/pull-requests.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import { noteMerged } from "../attempts/note-merged.ts";
import type { JournalContext, Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { type ForgeAt, type ForgeContext, findForge } from "./find-forge.ts";
import { troubleOf } from "./forge-refusal.ts";
import { settlePullRequest } from "./settle-pull-request.ts";
import { pullRequestLock, storePullRequest, withSeen } from "./store-pull-request.ts";

export type LookContext = JournalContext & ForgeContext & Uses<"attemptLock" | "dispatcher">;

/** Null if there is nothing to look at. */
export function lookAtPullRequest(context: LookContext, attemptId: string): Promise<Looked | null> {
  return context.attemptLock.run(pullRequestLock(attemptId), () => lookNow(context, attemptId));
}

/** The same for a caller that holds the lock. */
export async function lookNow(context: LookContext, attemptId: string): Promise<Looked | null> {
  const tracked = await pullRequestOf(context.db.reader, attemptId);
  const place = await findPlace(context.db.reader, attemptId);
  if (tracked === null || place === null) return null;
  return look(context, { place, tracked });
}

/** What is known after a look; `error` if the forge did not answer. */
export interface Looked {
  readonly place: AttemptPlace;
  readonly tracked: Tracked;
  readonly at: ForgeAt | null;
  readonly error: ForgeError | null;
}

interface Known {
  readonly place: AttemptPlace;
  readonly tracked: Tracked;
}

async function look(context: LookContext, known: Known): Promise<Looked> {
  const { place, tracked } = known;
  const found = await findForge(context, place);
  if (found.isErr()) {
    const { code, message } = found.error;
    const error = {
      code: "forge_refused",
      message: `${message} (${code})`,
      status: null,
      resumeAt: null,
      transient: false,
    } as const;
    return {
      place,
      tracked: await keepTrouble(context, known, { error, pollS: IDLE_POLL_S }),
      at: null,
      error,
    };
  }
  const at = found.value;
  const pollS = at.settings.poll_s;
  if (tracked.wanted !== null) {
    await settlePullRequest(context, { ...openingOf(tracked.wanted, known), at });
    return {
      place,
      at,
      error: null,
      tracked: (await pullRequestOf(context.db.reader, place.attempt.id)) ?? tracked,
    };
  }
  if (tracked.number === null) return { place, tracked, at, error: null };
  const seen = await see(at, tracked.number);
  if (seen.isErr())
    return {
      place,
      at,
      error: seen.error,
      tracked: await keepTrouble(context, known, { error: seen.error, pollS }),
    };
  return { place, at, error: null, tracked: await keepSeen(context, known, { seen: seen.value, pollS }) };
}

/** A repository without a known forge is asked for rarely. */
const IDLE_POLL_S = 600;

/** What a person asked for earlier is done with the words of then. */
function openingOf(wanted: Wanted, { place, tracked }: Known) {
  const { title, body, draft, given } = wanted;
  return {
    place,
    tracked,
    now: { title, body },
    given: { title: given.title ? title : null, body: given.body ? body : null, draft },
    commit: "",
    key: null,
  };
}

interface Seen {
  readonly pullRequest: PullRequest;
  readonly checks: Tracked["checks"];
  readonly threads: Tracked["threads"];
}

/** Checks and threads of one that ended are as they were. */
async function see(
  { forge }: ForgeAt,
  number: number,
): Promise<Result<Seen | Pick<Seen, "pullRequest">, ForgeError>> {
  const read = await forge.read(number);
  if (read.isErr()) return err(read.error);
  const pullRequest = read.value;
  if (pullRequest.state !== "open") return ok({ pullRequest });
  const checks = await forge.checks(pullRequest);
  if (checks.isErr()) return err(checks.error);
  const threads = await forge.threads(number);
  return threads.map((those) => ({ pullRequest, checks: checks.value, threads: those }));
}

async function keepSeen(
  context: LookContext,
  { place, tracked }: Known,
  { seen, pollS }: { readonly seen: Seen | Pick<Seen, "pullRequest">; readonly pollS: number },
): Promise<Tracked> {
  const { attempt } = place;
  const at = context.clock.iso();
  const { pullRequest, ...rest } = seen;
  const shown = { ...withSeen(tracked, pullRequest, at), ...rest };
  const isNew = newsOf(shown) !== newsOf(tracked);
  const quiet = isNew ? 0 : tracked.quiet + 1;
  const next = nextLook({ ...pace(context, pollS), quiet, failures: 0, resumeAt: null });
  // The branch of an attempt that is gone waits for the end of its pull request.
  const ended = attempt.state === "removed" ? at : null;
  const lookAt = shown.lookAt === null ? ended : next;
  const after = { ...shown, quiet, lookAt };
  const merged =
    after.state === "merged" && attempt.merged === null ? await mergedBy(context, place, after) : null;
  await transact(context.db, async (trx) => {
    if (merged !== null) await noteMerged(trx, attempt, { at, merged });
    await storeLook(trx, attempt, { before: tracked, after, at, isNew: isNew || merged !== null });
  });
  if (isNew) context.newFacts.notify();
  return after;
}

/** A look that was asked for meanwhile stays due. */
async function storeLook(
  trx: WriteTransaction,
  attempt: AttemptPlace["attempt"],
  look: { readonly before: Tracked; readonly after: Tracked; readonly at: string; readonly isNew: boolean },
): Promise<void> {
  const { before, after, at, isNew } = look;
  const due = (await pullRequestOf(trx, attempt.id))?.lookAt ?? null;
  const isAsked = due !== before.lookAt && due !== null && after.lookAt !== null && due < after.lookAt;
  const tracked = isAsked ? { ...after, lookAt: due } : after;
  if (isNew) return storePullRequest(trx, attempt, { tracked, at });
  return savePullRequest(trx, tracked);
}

/** All that a reader would want to know of at once. */
function newsOf({ quiet: _q, lookedAt: _l, lookAt: _a, ...news }: Tracked): string {
  return JSON.stringify(news);
}

function pace(context: Uses<"clock" | "dispatcher" | "newFacts">, pollS: number) {
  const attended = context.dispatcher().active().length > 0 || context.newFacts.isHeard();
  return { now: context.clock.now().getTime(), pollS, attended };
}

async function keepTrouble(
  context: LookContext,
  { place, tracked }: Known,
  { error, pollS }: { readonly error: ForgeError; readonly pollS: number },
): Promise<Tracked> {
  const at = context.clock.iso();
  const trouble = troubleOf(error, at, tracked.trouble);
  const { resumeAt, times: failures } = trouble;
  const lookAt = nextLook({ ...pace(context, pollS), quiet: tracked.quiet, failures, resumeAt });
  // What no later try can mend is not waited for.
  const wanted = error.transient ? tracked.wanted : null;
  const isOver = wanted === null && tracked.number === null;
  const after = { ...tracked, wanted, trouble, lookAt: isOver ? null : lookAt };
  const isNew = trouble.code !== tracked.trouble?.code;
  await transact(context.db, (trx) => storeLook(trx, place.attempt, { before: tracked, after, at, isNew }));
  if (isNew) context.newFacts.notify();
  return after;
}

/** The commit of the attempt that came in: its newest one, unless the merged branch is known not to hold it. */
async function mergedBy(context: LookContext, place: AttemptPlace, tracked: Tracked): Promise<Merged> {
  const runs = await runsOfAttempt(context.db.reader, place.attempt.id);
  const own = runs.findLast(({ commit }) => commit !== null)?.commit ?? null;
  const head = tracked.head.sha ?? "";
  const { git } = await loadRepositoryGit(context, place);
  const revisions = { ancestor: own ?? head, descendant: head };
  const held =
    own === null ? ok(false) : await isAncestor(git, repositoryTarget(place.repository), revisions);
  return {
    at: context.clock.iso(),
    commit: tracked.mergeCommit ?? head,
    // Without the merged commits here, git cannot say; they were pushed from here.
    tip: own !== null && held.unwrapOr(true) ? own : head,
    target: tracked.baseBranch,
    before: null,
    by: "forge",
  };
}
