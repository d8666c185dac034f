/** Adds a run to an attempt that is open, once the scripts it would run are trusted. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { TaskSettings } from "../../domain/configuration/task-settings.ts";
import type { Run, RunOptions } from "../../domain/run/run.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { appendFact } from "../../storage/facts.ts";
import { recordCreated } from "../../storage/idempotency-keys.ts";
import { getRepository } from "../../storage/repositories.ts";
import { insertRun, runsOfAttempt } from "../../storage/runs.ts";
import { getTask } from "../../storage/tasks.ts";
import { transact } from "../../storage/transact.ts";
import { configurationRefusal } from "../configuration/configuration-refusal.ts";
import { untrustedScripts } from "../configuration/trust.ts";
import { unavailableSetting } from "../configuration/unavailable-settings.ts";
import type { ServiceContext } from "../context.ts";
import { notFound, refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";
import { releaseHeld } from "./held-follow-ups.ts";

/** Nothing where nothing is set. */
export function settingsOption(settings: TaskSettings): Pick<RunOptions, "settings"> {
  return Object.keys(settings).length === 0 ? {} : { settings };
}

/** Who began an attempt without its remote goes on without it. */
export async function wasOffline(context: ServiceContext, attemptId: string): Promise<boolean> {
  return (await runsOfAttempt(context.db.reader, attemptId)).at(-1)?.offline ?? false;
}

export async function openAttempt(context: ServiceContext, id: string): Promise<Result<Attempt, Refusal>> {
  const attempt = await getAttempt(context.db.reader, id);
  if (attempt === null) return err(notFound("attempt", id));
  if (attempt.state === "open") return ok(attempt);
  return err(
    refuse("conflict", "attempt_canceled", `The attempt ${id.slice(0, 8)} was cancelled.`, {
      remedy: "Start a new one with `tazuna run`; its files are in the trash, its last state in a snapshot.",
    }),
  );
}

export async function addRun(
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
