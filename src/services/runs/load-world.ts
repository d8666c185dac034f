/** Gathers everything that a step needs to know about its run. */
import { configurationSchema } from "../../domain/configuration/schema.ts";
import { getAttempt } from "../../storage/attempts.ts";
import { getRepository } from "../../storage/repositories.ts";
import { getRun, runsOfAttempt } from "../../storage/runs.ts";
import { getTask } from "../../storage/tasks.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "./step.ts";

/** Stands in where the files cannot be used: the run then only ends, and nothing is read from it. */
const NO_CONFIGURATION: LoadedConfiguration = {
  values: configurationSchema.parse({}),
  sources: new Map(),
  repositoryFiles: [],
};

/** Null where the run does not exist. Where the configuration cannot be used, the world says why. */
export async function loadWorld(
  context: ServiceContext,
  of: {
    readonly runId: string;
    readonly epoch: number;
    readonly signal: AbortSignal;
    readonly resumed: boolean;
  },
): Promise<RunWorld | null> {
  const { reader } = context.db;
  const run = await getRun(reader, of.runId);
  const attempt = run && (await getAttempt(reader, run.attemptId));
  const task = attempt && (await getTask(reader, attempt.taskId));
  const repository = task && (await getRepository(reader, task.repositoryId));
  if (!run || !attempt || !task || !repository) return null;
  const runs = await runsOfAttempt(reader, attempt.id);
  const configuration = await context.configuration(repository, {
    ...task.settings,
    ...run.options.settings,
  });
  return {
    run,
    attempt,
    task,
    repository,
    configuration: configuration.unwrapOr(NO_CONFIGURATION),
    configurationFault: configuration.isErr()
      ? `${configuration.error.source}: ${configuration.error.message}`
      : null,
    earlier: runs.filter((other) => other.number < run.number),
    resumed: of.resumed,
    epoch: of.epoch,
    signal: of.signal,
  };
}
