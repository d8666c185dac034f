/** Gives a journey the time limit of git commands (`limits.git_s`) that its repository has by now. */
import type { TaskSettings } from "../../domain/configuration/task-settings.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { withTimeLimit } from "../../git/run-git.ts";
import type { ServiceContext } from "../context.ts";
import type { LoadedConfiguration } from "./load-configuration.ts";

/** The same context, its git held to the configuration's limit. */
export function heldTo(
  context: ServiceContext,
  { values }: Pick<LoadedConfiguration, "values">,
): ServiceContext {
  return { ...context, git: withTimeLimit(context.git, values.limits.git_s * 1000) };
}

/** The same for a journey that needs nothing else of the configuration; where that cannot be used, the engine's own limit holds. */
export async function heldToLimitOf(
  context: ServiceContext,
  of: { readonly repository: Pick<Repository, "path">; readonly settings: TaskSettings },
): Promise<ServiceContext> {
  const configuration = await context.configuration(of.repository, of.settings);
  return configuration.isErr() ? context : heldTo(context, configuration.value);
}
