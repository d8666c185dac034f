/** Gathers everything that a step needs to know about its run. */

import { workOf } from "../../domain/attempt/attempt-runs.ts";
import { seenByRun } from "../../domain/attempt/seen-by-run.ts";
import { getRun, runsOfAttempt } from "../../storage/tables/runs.ts";
import { DEFAULT_CONFIGURATION } from "../configuration/load-configuration.ts";
import type { Uses } from "../core/context-parts.ts";
import { findPlace } from "../core/find-place.ts";
import { seenHere } from "../core/held-elsewhere.ts";
import type { RunWorld } from "./step.ts";

/** Null if the run does not exist. If the configuration cannot be used, the world says why. */
export async function loadWorld(
  context: Uses<"db" | "owner" | "paths" | "configuration">,
  drive: {
    readonly runId: string;
    readonly epoch: number;
    readonly signal: AbortSignal;
    readonly resumed: boolean;
  },
): Promise<RunWorld | null> {
  const { reader } = context.db;
  const run = await getRun(reader, drive.runId);
  const place = run && (await findPlace(reader, run.attemptId));
  if (!run || !place) return null;
  const runs = await runsOfAttempt(reader, run.attemptId);
  const settings = { ...place.task.settings, ...run.options.settings };
  const configuration = await context.configuration(place.repository, settings);
  return {
    ...place,
    attempt: seenByRun(await seenHere(context, place.attempt), run),
    run,
    // If the files cannot be read, the run only ends, and uses none of the settings.
    configuration: configuration.unwrapOr(DEFAULT_CONFIGURATION),
    configurationFault: configuration.isErr() ? configuration.error : null,
    // A reviewer takes part in none of the work.
    earlier:
      run.kind === "review"
        ? []
        : workOf(
            runs.slice(
              0,
              runs.findIndex(({ id }) => id === run.id),
            ),
          ),
    resumed: drive.resumed,
    epoch: drive.epoch,
    signal: drive.signal,
  };
}
