/** Reads what a merge of an attempt needs to know, and refuses what no run of it committed. */
import { err, ok, type Result, safeTry } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import { workOf } from "../../domain/attempt/attempt-runs.ts";
import type { Run } from "../../domain/run/run.ts";
import { isEnded } from "../../domain/run/state.ts";
import { isCommitUndone } from "../../domain/undo/undone-commit.ts";
import { readRef } from "../../git/refs/refs.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import {
  configurationRefusal,
  notEnded,
  notFound,
  type Refusal,
  refuse,
  refused,
  shortId,
} from "../core/refusal.ts";
import { refuseHeldBack } from "../requests/held-back.ts";
import { repositoryTarget } from "../run-core/targets.ts";

export interface Landing extends AttemptPlace {
  readonly configuration: LoadedConfiguration;
  /** In the order in which they work; none goes on. */
  readonly runs: readonly Run[];
  /** The last one; the gate takes the allowances of all. */
  readonly run: Run;
  /** The commit of the attempt: the tip of its branch, else the newest commit of its runs. */
  readonly tip: string;
  /** Its name for a person: the branch, if that is there. */
  readonly tipName: string;
  /** The newest commit that the gate has read; the rest of the tip came from persons. */
  readonly gated: string;
  /** The commit that the attempt's work began from. */
  readonly base: string;
}

/** An attempt at rest, with a commit that may leave it. `red`: required checks may have failed. */
export async function readLanding(
  context: Uses<"db" | "git" | "configuration">,
  attemptId: string,
  { red = false }: { readonly red?: boolean } = {},
): Promise<Result<Landing, Refusal>> {
  return safeTry(async function* () {
    const place = await findPlace(context.db.reader, attemptId);
    if (place === null) return err(notFound("attempt", attemptId));
    const { attempt, task, repository } = place;
    const runs = workOf(await runsOfAttempt(context.db.reader, attemptId));
    const run = yield* lastRun(attempt, runs);
    const configuration = yield* (
      await context.configuration(repository, { ...task.settings, ...run.options.settings })
    ).mapErr(configurationRefusal);
    const held = red ? null : refuseHeldBack(runs);
    if (held !== null) return err(held);
    const made =
      runs.findLast(({ commit, notes }) => commit !== null && !isCommitUndone(notes))?.commit ?? null;
    const branch = yield* (
      await readRef(context.git, repositoryTarget(repository), `refs/heads/${attempt.branch}^{commit}`)
    ).mapErr(gitRefusal);
    const tip = branch ?? made;
    const { sha: base } = attempt.base;
    const began = runs.find(({ startSha }) => startSha !== null)?.startSha ?? null;
    if (tip === null || base === null || tip === base || (tip === began && tip !== made))
      return err(nothingToMerge(attempt));
    return ok({
      ...place,
      configuration,
      runs,
      run,
      tip,
      tipName: branch === null ? tip : attempt.branch,
      gated: made ?? base,
      base,
    });
  });
}

/** The last one that has ended. Refused while one goes on, and for an attempt that was cancelled. */
export function lastRun(attempt: Attempt, runs: readonly Run[]): Result<Run, Refusal> {
  const id = shortId(attempt.id);
  if (attempt.state === "canceled")
    return refused("conflict", "attempt_canceled", `The attempt ${id} was cancelled.`, {
      remedy: `\`tazuna trash restore ${id}\` brings it back, once its clean-up has ended.`,
    });
  const going = runs.find(({ status, held }) => !isEnded(status) && !held);
  if (going !== undefined) return err(notEnded(going.id));
  const last = runs.findLast(({ status }) => isEnded(status));
  return last === undefined ? err(nothingToMerge(attempt)) : ok(last);
}

function nothingToMerge({ id }: Attempt): Refusal {
  return refuse("conflict", "nothing_to_merge", "The attempt has no commit of its own.", {
    remedy: `\`tazuna show ${shortId(id)}\` says what its runs came to. \`tazuna continue ${shortId(id)} "Go on"\` lets the agent work.`,
    details: { attempt: id },
  });
}

/** Git could not answer; nothing was changed. */
export function gitRefusal({ message }: { readonly message: string }): Refusal {
  return refuse("failed", "git_failed", message, {
    remedy: "Nothing was changed. Mend the cause, then ask again; `tazuna doctor` may know it.",
  });
}
