/** Shows the checks of an attempt: what each came to there last, and on the attempt's base. */
import { err, ok, type Result } from "neverthrow";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import type { CheckResult } from "../../domain/run/check.ts";
import { baseChecksAt, checksOfRuns } from "../../storage/tables/checks.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import type { AttemptChecks } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { configurationRefusal, notFound, type Refusal } from "../core/refusal.ts";
import { isRunning } from "./check-base.ts";
import { definitionHash } from "./definition-hash.ts";

/** Those that are declared now, then others that have run. */
export async function showChecks(
  context: Uses<"db" | "configuration" | "baseChecks">,
  attemptId: string,
): Promise<Result<AttemptChecks, Refusal>> {
  const { reader } = context.db;
  const place = await findPlace(reader, attemptId);
  if (place === null) return err(notFound("attempt", attemptId));
  const { attempt, task, repository } = place;
  const loaded = await context.configuration(repository, task.settings);
  if (loaded.isErr()) return err(configurationRefusal(loaded.error));
  const last = await lastResults(context, attemptId);
  const base = { repositoryId: repository.id, baseSha: attempt.base.sha ?? "" };
  const known = await baseChecksAt(reader, base);
  const declared = loaded.value.values.checks;
  const others = [...last.values()].filter(({ name }) => declared.every((each) => each.name !== name));
  const items = declared.map((check) => {
    const { name, run: command, required } = check;
    const hash = definitionHash(check, loaded.value);
    const running = isRunning(context, { ...base, hash });
    return { name, command, required, last: last.get(name) ?? null, base: known.get(hash) ?? null, running };
  });
  return ok({
    baseSha: attempt.base.sha,
    items: [
      ...items,
      ...others.map((each) => ({
        name: each.name,
        command: each.command,
        required: each.required,
        last: each,
        base: null,
        running: false,
      })),
    ],
  });
}

/** By name, of the newest run that has one. */
async function lastResults({ db }: Uses<"db">, attemptId: string): Promise<ReadonlyMap<string, CheckResult>> {
  const runs = workOf(await runsOfAttempt(db.reader, attemptId));
  const results = await checksOfRuns(
    db.reader,
    runs.map(({ id }) => id),
  );
  return new Map(runs.flatMap(({ id }) => (results.get(id) ?? []).map((check) => [check.name, check])));
}
