/** Makes the pull request that is wanted, or takes over the one that is there: a crash in between makes no second one. */
import { ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { isSame } from "../../domain/pull-request/changed-words.ts";
import type { PullRequest } from "../../domain/pull-request/pull-request.ts";
import type { Tracked, Wanted, Wrote } from "../../domain/pull-request/tracked.ts";
import type { ForgeError } from "../../forge/forge.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { recordCreated } from "../../storage/tables/idempotency-keys.ts";
import { insertOperation } from "../../storage/tables/operations.ts";
import { pullRequestOf } from "../../storage/tables/pull-requests.ts";
import { transact } from "../../storage/transact.ts";
import type { JournalContext, Uses } from "../core/context-parts.ts";
import { journaled } from "../core/journal.ts";
import type { ForgeAt } from "./find-forge.ts";
import { storePullRequest, withSeen, wordsHash } from "./store-pull-request.ts";

export type Wanting = Tracked & { readonly wanted: Wanted };

/** The intention is stored before the forge is asked, and the answer after it. The caller holds the lock. */
export async function makePullRequest(
  context: JournalContext,
  attempt: Attempt,
  {
    at: { forge, head },
    tracked,
    key,
  }: {
    readonly at: ForgeAt;
    readonly tracked: Wanting;
    /** The idempotency key of the request; null if nobody asks for it now. */
    readonly key: string | null;
  },
): Promise<Result<PullRequest, ForgeError>> {
  const { wanted, baseBranch: base } = tracked;
  const { title, body, draft } = wanted;
  return journaled(
    context,
    {
      kind: "pull_request_create",
      subject: { type: "attempt", id: attempt.id },
      before: { head: head.branch, base, title, draft },
      intend: async (trx) => {
        if (key !== null) await recordCreated(trx, { key, id: tracked.id });
        await storePullRequest(trx, attempt, { tracked, at: context.clock.iso() });
      },
    },
    () => forge.create({ head, base, title, body, draft }),
    ({ number, url }) => ({ number, url }),
    (trx, seen) => storeSeen(context, trx, { attempt, tracked, seen, wrote: wroteBy(wanted, seen) }),
  );
}

/** Follows a pull request that is there already, and says so in the journal. */
export async function linkPullRequest(
  context: JournalContext,
  attempt: Attempt,
  { tracked, seen }: { readonly tracked: Tracked; readonly seen: PullRequest },
): Promise<void> {
  const { wanted, number } = tracked;
  const at = context.clock.iso();
  const isOurs = wanted !== null && wanted.after !== null && seen.number > wanted.after;
  const wrote = isOurs ? wroteBy(wanted, seen) : number === seen.number ? tracked.wrote : NOT_OURS;
  await transact(context.db, async (trx) => {
    await storeSeen(context, trx, { attempt, tracked, seen, wrote });
    if (number === seen.number) return;
    await insertOperation(trx, {
      id: context.newId(),
      workerId: context.owner,
      actor: context.actor,
      kind: "pull_request_link",
      subject: { type: "attempt", id: attempt.id },
      before: null,
      after: { number: seen.number, url: seen.url },
      status: "done",
      undoable: false,
      at,
      endedAt: at,
    });
  });
  context.newFacts.notify();
}

const NOT_OURS: Wrote = { made: false, title: null, body: null };

/** Tazuna does not change later what a person typed, or what the forge shows in another way. */
function wroteBy(wanted: Wanted, seen: PullRequest): Wrote {
  const own = (part: "title" | "body") =>
    !wanted.given[part] && isSame(seen[part], wanted[part]) ? wordsHash(seen[part]) : null;
  return { made: isSame(seen.body, wanted.body), title: own("title"), body: own("body") };
}

/** On top of what is stored now: a run may have been noted meanwhile. */
async function storeSeen(
  { clock }: Uses<"clock">,
  trx: WriteTransaction,
  change: {
    readonly attempt: Attempt;
    readonly tracked: Tracked;
    readonly seen: PullRequest;
    readonly wrote: Wrote;
  },
): Promise<void> {
  const at = clock.iso();
  const { attempt, tracked, seen, wrote } = change;
  const handed = (await pullRequestOf(trx, attempt.id))?.handed ?? tracked.handed;
  const stored = { ...withSeen(tracked, seen, at), wrote, handed, quiet: 0 };
  await storePullRequest(trx, attempt, { tracked: stored, at });
}

/** The same after the forge has failed. What was wanted is kept if that may still become true. */
export async function storeTrouble(
  context: Uses<"db" | "newFacts" | "clock">,
  attempt: Pick<Attempt, "id" | "taskId">,
  tracked: Tracked,
): Promise<Result<void, never>> {
  await transact(context.db, (trx) => storePullRequest(trx, attempt, { tracked, at: context.clock.iso() }));
  context.newFacts.notify();
  return ok(undefined);
}
