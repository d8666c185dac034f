/** Keeps what a person types for the way out of an attempt: the commit message, and the words of its pull request. */
import { err, ok } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import {
  isCommitDue,
  newestCommitter,
  type ShipDraft,
  shipDraftSchema,
} from "../../domain/pull-request/ship-draft.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Reader, WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { getDraft, saveDraft } from "../../storage/tables/drafts.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import type { ShipDraftChange } from "../core/decide-shapes.ts";
import { notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import type { Answer } from "../core/services.ts";

type DraftContext = Uses<"db" | "clock" | "newFacts">;

const nameOf = (attemptId: string) => `ship ${attemptId}`;

export async function readShipDraft(reader: Reader, attemptId: string): Promise<ShipDraft> {
  const kept = await getDraft(reader, nameOf(attemptId));
  return shipDraftSchema.parse(kept?.content ?? {});
}

/** A message is kept only if a commit is still to be made. */
export async function keepShipDraft(context: DraftContext, change: ShipDraftChange): Answer<ShipDraft> {
  const kept = await transact(context.db, async (trx) => {
    const attempt = await getAttempt(trx, change.attempt);
    if (attempt === null) return err(notFound("attempt", change.attempt));
    const runs = workOf(await runsOfAttempt(trx, attempt.id));
    const isMessage = typeof change.message === "string";
    if (isMessage && !isCommitDue(runs)) return err(nothingDue(attempt));
    const draft = changed(await readShipDraft(trx, attempt.id), change, runs);
    await store(context, trx, { attempt, draft });
    return ok(draft);
  });
  context.newFacts.notify();
  return kept;
}

function changed(before: ShipDraft, change: ShipDraftChange, runs: readonly Run[]): ShipDraft {
  const { message, title = before.title, body = before.body, draft = before.draft } = change;
  const typed = typeof message === "string" ? { text: message, after: newestCommitter(runs) } : null;
  return { message: message === undefined ? before.message : typed, title, body, draft };
}

/**
 * Once the pull request is open, the words that a request named are there. `before` is the draft when it was asked for:
 * what another door opened it without, or a person typed since, stays.
 */
export async function forgetPullDraft(
  context: DraftContext,
  attemptId: string,
  { before, named }: { readonly before: ShipDraft; readonly named: PullWords },
): Promise<void> {
  await transact(context.db, async (trx) => {
    const now = await readShipDraft(trx, attemptId);
    const draft = withoutUsed(now, { before, named });
    const attempt = await getAttempt(trx, attemptId);
    if (draft !== now && attempt !== null) await store(context, trx, { attempt, draft });
  });
  context.newFacts.notify();
}

/** In the transaction that stores a run with a message of its own, which is newer. What is typed later counts again. */
export async function forgetMessage(
  context: Uses<"clock">,
  trx: WriteTransaction,
  attempt: Attempt,
): Promise<void> {
  const draft = await readShipDraft(trx, attempt.id);
  if (draft.message !== null) await store(context, trx, { attempt, draft: { ...draft, message: null } });
}

type PullWords = Readonly<Record<"title" | "body", string | null>>;

/** The same object if all of it stays. */
function withoutUsed(
  now: ShipDraft,
  { before, named }: { readonly before: ShipDraft; readonly named: PullWords },
): ShipDraft {
  const isUsed = (part: keyof PullWords) =>
    now[part] !== null && now[part] === before[part] && named[part] !== null;
  const title = isUsed("title") ? null : now.title;
  const body = isUsed("body") ? null : now.body;
  // Every request says whether it opens a draft.
  const draft = now.draft === before.draft ? null : now.draft;
  return title === now.title && body === now.body && draft === now.draft
    ? now
    : { ...now, title, body, draft };
}

async function store(
  { clock }: Uses<"clock">,
  trx: WriteTransaction,
  { attempt, draft }: { readonly attempt: Attempt; readonly draft: ShipDraft },
): Promise<void> {
  const at = clock.iso();
  await saveDraft(trx, { name: nameOf(attempt.id), content: { ...draft }, updatedAt: at });
  const ids = { taskId: attempt.taskId, attemptId: attempt.id, runId: null };
  await appendFact(trx, { at, kind: "draft.changed", ...ids, data: { draft: "ship" } });
}

function nothingDue({ id }: Attempt): Refusal {
  const message = "No commit is to be made: what the attempt left is committed, or it left nothing.";
  return refuse("conflict", "nothing_to_commit", message, {
    remedy: `\`tazuna continue ${shortId(id)} --message "..."\` commits edits of yours.`,
    details: { attempt: id },
  });
}
