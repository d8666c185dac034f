/** Adds a run to an attempt that is open, once the scripts it would run are trusted. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { hasAgent, seenByRun } from "../../domain/attempt/seen-by-run.ts";
import type { Run } from "../../domain/run/run.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { insertRun } from "../../storage/tables/runs.ts";
import { putAwayNow, refuseReopening, reopen } from "../attempts/reopen-attempt.ts";
import type { RequestContext, Uses, WorktreeContext } from "../core/context-parts.ts";
import { findPlaceOf } from "../core/find-place.ts";
import { refuseElsewhere } from "../core/held-elsewhere.ts";
import { configurationRefusal, notFound, type Refusal, refuse } from "../core/refusal.ts";
import { areThere } from "../placing/tell-worker.ts";
import { putHeldLast, releaseHeld } from "../run-core/held-follow-ups.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { askedFrom, createRuns, recordRun } from "./store-runs.ts";

export interface NewRunRequest extends Pick<Run, "kind" | "instruction" | "options" | "offline"> {
  /** Held runs begin before this run; else it goes before them, and they wait for its success (ADR 0003). */
  readonly releasesHeld: boolean;
  /** The idempotency key under which the run is created. */
  readonly key: string | null;
  /** Asked in the transaction that stores the run, before anything is stored. */
  readonly refuses?: (trx: WriteTransaction) => Promise<Refusal | null>;
  /** What is stored together with the run. */
  readonly also?: (trx: WriteTransaction, run: Run) => Promise<void>;
}

export async function addRun(
  context: RequestContext,
  attempt: Attempt,
  request: NewRunRequest,
): Promise<Result<string, Refusal>> {
  const refusal =
    refuseEdits(attempt, request) ??
    (isOfFiles(request) && !(await areThere(context, [attempt.id]))
      ? await refuseElsewhere(context, attempt.id)
      : null) ??
    (await refuseUntrusted(context, attempt, request));
  if (refusal !== null) return err(refusal);
  const createdAt = context.clock.iso();
  const id = context.newId();
  const added = await createRuns(context, { what: "run", runIds: [id] }, async (trx) => {
    const { releasesHeld, key, refuses, also, ...run } = request;
    const now = await getAttempt(trx, attempt.id);
    // Another request may have cancelled it, or cleaned it up, since it was read.
    if (now?.state !== "open" && now?.state !== attempt.state) return err(putAwayNow(attempt));
    const refused = (await refuses?.(trx)) ?? null;
    if (refused !== null) return err(refused);
    if (now.state !== "open") await reopen(context, trx, attempt);
    if (releasesHeld) await releaseHeld(trx, attempt.id);
    const inserted = await insertRun(trx, {
      id,
      attemptId: attempt.id,
      ...run,
      options: { ...run.options, ...askedFrom(context) },
      held: false,
      createdAt,
    });
    if (!releasesHeld) await putHeldLast(trx, attempt.id);
    await also?.(trx, inserted);
    await recordRun(trx, inserted, { taskId: attempt.taskId, key });
    return ok(inserted.id);
  });
  if (added.isErr()) context.shells.release(id);
  return added;
}

export async function openAttempt(
  context: WorktreeContext & Uses<"configuration" | "team" | "shell">,
  id: string,
): Promise<Result<Attempt, Refusal>> {
  const attempt = await getAttempt(context.db.reader, id);
  if (attempt === null) return err(notFound("attempt", id));
  if (attempt.state === "open") return ok(attempt);
  const refusal = await refuseReopening(context, attempt);
  return refusal === null ? ok(attempt) : err(refusal);
}

/** An agent goes on from the branch; these need the worktree as it lies there. */
function isOfFiles({ kind, options }: Pick<Run, "kind" | "options">): boolean {
  return kind === "review" || (kind === "commit" && options.recheck !== true);
}

/** An attempt that a clean-up put away has no edits to commit from here. */
function refuseEdits(
  { id, state }: Attempt,
  { kind, options }: Pick<Run, "kind" | "options">,
): Refusal | null {
  if (state === "open" || kind !== "commit" || options.recheck === true) return null;
  const short = id.slice(0, 8);
  const message = `The attempt ${short} was cleaned up: it has no worktree with edits of yours.`;
  return refuse("conflict", "nothing_to_commit", message, {
    remedy: `\`tazuna continue ${short} "what is left to do"\` makes the worktree again; \`tazuna trash restore ${short}\` brings back what lay in it.`,
    details: { attempt: id },
  });
}

async function refuseUntrusted(
  context: Uses<"db" | "configuration">,
  attempt: Attempt,
  { kind, options }: Pick<Run, "kind" | "options">,
): Promise<Refusal | null> {
  if (kind === "publish") return null;
  const place = await findPlaceOf(context.db.reader, attempt);
  if (place === null) return notFound("task", attempt.taskId);
  const { task, repository } = place;
  const configuration = await context.configuration(repository, { ...task.settings, ...options.settings });
  if (configuration.isErr()) return configurationRefusal(configuration.error);
  return untrustedScripts(context, {
    repository,
    configuration: configuration.value,
    agents: hasAgent({ kind }) ? [seenByRun(attempt, { kind, options }).agent] : [],
  });
}
