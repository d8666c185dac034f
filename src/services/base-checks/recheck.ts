/** Runs the checks of an attempt again on what is committed, without its agent. */
import { err, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { someOf } from "../../domain/text/listed.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import type { RequestContext, WorktreeContext } from "../core/context-parts.ts";
import { findPlaceOf } from "../core/find-place.ts";
import { notEnded, notFound, type Refusal, refused, shortId } from "../core/refusal.ts";
import type { Retry } from "../core/request-shapes.ts";
import { addRun, openAttempt } from "../requests/add-run.ts";
import { settingsOption } from "../requests/store-runs.ts";
import { lookAtUncommitted } from "../situation/look-at-edits.ts";

/** A run that makes no commit. What no commit holds yet would be checked along, so that is committed first. */
export async function recheck(
  context: WorktreeContext & RequestContext,
  { run: runId, settings }: Retry,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const run = await getRun(context.db.reader, runId);
  if (run === null) return err(notFound("run", runId));
  if (!isEnded(run.status)) return err(notEnded(runId));
  const opened = await openAttempt(context, run.attemptId);
  if (opened.isErr()) return err(opened.error);
  const attempt = opened.value;
  const id = shortId(attempt.id);
  const runs = await runsOfAttempt(context.db.reader, attempt.id);
  if (runs.every(({ commit }) => commit === null))
    return refused("conflict", "nothing_to_check", `The attempt ${id} has no commit to check.`, {
      remedy: `\`tazuna retry ${id}\` lets its agent work again.`,
    });
  const files = await uncommittedFiles(context, attempt, runs);
  if (files.length > 0)
    return refused(
      "conflict",
      "checkout_not_clean",
      `Its worktree holds what no commit has: ${someOf(files, 3)}.`,
      {
        remedy: `\`tazuna continue ${id}\` commits and checks them.`,
        details: { attempt: attempt.id, files },
      },
    );
  return addRun(context, attempt, {
    kind: "commit",
    instruction: "Run the checks again",
    options: { retryOf: run.id, recheck: true, ...settingsOption({ ...run.options.settings, ...settings }) },
    offline: run.offline,
    releasesHeld: false,
    key,
  });
}

async function uncommittedFiles(
  context: WorktreeContext & RequestContext,
  attempt: Attempt,
  runs: readonly Run[],
): Promise<readonly string[]> {
  const place = await findPlaceOf(context.db.reader, attempt);
  const settings = { ...place?.task.settings, ...runs.at(-1)?.options.settings };
  const configuration = place && (await context.configuration(place.repository, settings)).unwrapOr(null);
  if (!place || !configuration || attempt.gitDir === null) return [];
  const found = await lookAtUncommitted(context, { ...place, runs, configuration });
  return found.value?.map(({ path }) => path) ?? [];
}
