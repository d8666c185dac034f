/** Adds a later run to an attempt: a follow-up of the agent, the person's own edits, a retry, or only the push. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { TaskSettings } from "../../domain/configuration/task-settings.ts";
import type { Run, RunOptions } from "../../domain/run/run.ts";
import { isEnded, type RunKind } from "../../domain/run/state.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { appendFact } from "../../storage/facts.ts";
import { recordCreated } from "../../storage/idempotency-keys.ts";
import { getRepository } from "../../storage/repositories.ts";
import { getRun, insertRun, runsOfAttempt } from "../../storage/runs.ts";
import { getTask } from "../../storage/tasks.ts";
import { transact } from "../../storage/transact.ts";
import { configurationRefusal } from "../configuration/configuration-refusal.ts";
import { untrustedScripts } from "../configuration/trust.ts";
import { unavailableSetting } from "../configuration/unavailable-settings.ts";
import type { ServiceContext } from "../context.ts";
import { notFound, refuse } from "../refusal.ts";
import type { FollowUp, Refusal, Retry } from "../services.ts";
import { releaseHeld } from "./held-follow-ups.ts";

/** The id of a new run at the end of the attempt's queue; what was held before it goes on with it. */
export async function followUpRun(
  context: ServiceContext,
  input: FollowUp,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const instruction = input.instruction?.trim() ?? "";
  const commitsEdits = input.instruction === null;
  if (!commitsEdits && instruction === "")
    return err(
      refuse("bad_request", "empty_instruction", "The instruction is empty.", {
        remedy: "Say what is to be done, or leave it out to commit your own edits.",
      }),
    );
  const attempt = await openAttempt(context, input.attempt);
  if (attempt.isErr()) return err(attempt.error);
  return addRun(context, attempt.value, {
    kind: commitsEdits ? "commit" : "agent",
    instruction: commitsEdits ? "Commit my edits" : instruction,
    options: { ...(input.mergeBase ? { mergeBase: true } : {}), ...settingsOption(input.settings) },
    offline: await wasOffline(context, attempt.value.id),
    releasesHeld: true,
    key,
  });
}

/** Tries an ended run again: from its start, or only its push. */
export async function retryRun(
  context: ServiceContext,
  { run: runId, from, settings }: Retry,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const run = await getRun(context.db.reader, runId);
  if (run === null) return err(notFound("run", runId));
  if (!isEnded(run.status))
    return err(
      refuse("conflict", "run_not_ended", `The run ${runId.slice(0, 8)} has not ended yet.`, {
        remedy: "Wait for it with `tazuna wait`, or stop it first.",
      }),
    );
  if (from === "push" && run.commit === null)
    return err(
      refuse("conflict", "nothing_to_push", `The run ${runId.slice(0, 8)} made no commit.`, {
        remedy: "Retry it from its start: `tazuna retry RUN`.",
      }),
    );
  if (from === "push") {
    const heldBack = await refuseHeldBack(context, run.attemptId);
    if (heldBack !== null) return err(heldBack);
  }
  const attempt = await openAttempt(context, run.attemptId);
  if (attempt.isErr()) return err(attempt.error);
  const kind: RunKind = from === "push" ? "publish" : run.kind;
  const { mergeBase, fromWorktree, budgetUsd } = run.options;
  return addRun(context, attempt.value, {
    kind,
    instruction: run.instruction,
    options: {
      retryOf: run.id,
      ...(mergeBase === undefined ? {} : { mergeBase }),
      ...(fromWorktree === undefined ? {} : { fromWorktree }),
      ...(budgetUsd === undefined ? {} : { budgetUsd }),
      ...settingsOption({ ...run.options.settings, ...settings }),
    },
    offline: run.offline,
    releasesHeld: false,
    key,
  });
}

/** Nothing where nothing is set. */
function settingsOption(settings: TaskSettings): Pick<RunOptions, "settings"> {
  return Object.keys(settings).length === 0 ? {} : { settings };
}

/** Who began an attempt without its remote goes on without it. */
async function wasOffline(context: ServiceContext, attemptId: string): Promise<boolean> {
  return (await runsOfAttempt(context.db.reader, attemptId)).at(-1)?.offline ?? false;
}

/** A push takes the whole branch along: where a required check held its newest commit back, none of it is pushed. */
async function refuseHeldBack(context: ServiceContext, attemptId: string): Promise<Refusal | null> {
  const runs = await runsOfAttempt(context.db.reader, attemptId);
  const newest = runs.findLast((run) => run.commit !== null && run.kind !== "publish");
  if (newest?.failure?.code !== "check_failed") return null;
  return refuse("conflict", "check_failed", newest.failure.message, { remedy: newest.failure.remedy });
}

async function openAttempt(context: ServiceContext, id: string): Promise<Result<Attempt, Refusal>> {
  const attempt = await getAttempt(context.db.reader, id);
  if (attempt === null) return err(notFound("attempt", id));
  if (attempt.state === "open") return ok(attempt);
  return err(
    refuse("conflict", "attempt_canceled", `The attempt ${id.slice(0, 8)} was cancelled.`, {
      remedy: "Start a new one with `tazuna run`; its files are in the trash, its last state in a snapshot.",
    }),
  );
}

async function addRun(
  context: ServiceContext,
  attempt: Attempt,
  wish: Pick<Run, "kind" | "instruction" | "options" | "offline"> & {
    /** What was held begins before this run; else it waits for this run's success (ADR 0003). */
    readonly releasesHeld: boolean;
    /** The idempotency key under which the run is created. */
    readonly key: string | null;
  },
): Promise<Result<string, Refusal>> {
  const untrusted = await refuseUntrusted(context, attempt, wish);
  if (untrusted !== null) return err(untrusted);
  const createdAt = context.clock.iso();
  context.failpoint("create:run");
  const run = await transact(context.db, async (trx) => {
    const { releasesHeld, key, ...run } = wish;
    if (releasesHeld) await releaseHeld(trx, attempt.id);
    const inserted = await insertRun(trx, {
      id: context.newId(),
      attemptId: attempt.id,
      ...run,
      held: false,
      createdAt,
    });
    if (key !== null) await recordCreated(trx, { key, id: inserted.id });
    await appendFact(trx, {
      at: createdAt,
      kind: "run.created",
      taskId: attempt.taskId,
      attemptId: attempt.id,
      runId: inserted.id,
      data: { number: inserted.number, kind: inserted.kind },
    });
    return inserted;
  });
  context.failpoint("created:run");
  context.bell.ring();
  context.dispatcher().poke();
  return ok(run.id);
}

async function refuseUntrusted(
  context: ServiceContext,
  attempt: Attempt,
  { kind, options }: Pick<Run, "kind" | "options">,
): Promise<Refusal | null> {
  if (kind === "publish") return null;
  const task = await getTask(context.db.reader, attempt.taskId);
  const repository = task && (await getRepository(context.db.reader, task.repositoryId));
  if (!repository) return notFound("task", attempt.taskId);
  const configuration = await context.configuration(repository, { ...task?.settings, ...options.settings });
  if (configuration.isErr()) return configurationRefusal(configuration.error);
  const unavailable = unavailableSetting(configuration.value.values);
  if (unavailable !== null) return unavailable;
  return untrustedScripts(context, {
    repository,
    configuration: configuration.value,
    agents: kind === "agent" ? [attempt.agent] : [],
  });
}
