/** Gives a service the git of its repository, with the current time limit and the addresses of its checkout. */
import type { Repository } from "../../domain/repository/repository.ts";
import type { Task } from "../../domain/task/task.ts";
import { withCheckout, withGitTimeout } from "../../git/runner/git-variants.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { Uses } from "./context-parts.ts";

/** The same context with a git that uses the configuration's limit and the repository's checkout. */
export function withRepositoryGit<C extends Uses<"git">>(
  context: C,
  place: {
    readonly repository: Pick<Repository, "path">;
    readonly configuration: Pick<LoadedConfiguration, "values">;
  },
): C {
  const limited = withGitTimeout(context.git, place.configuration.values.limits.git_s * 1000);
  return { ...context, git: withCheckout(limited, place.repository.path) };
}

/**
 * The same for a service that needs nothing else of the configuration. If that cannot be used, the engine's own limit
 * holds.
 */
export async function loadRepositoryGit<C extends Uses<"git" | "configuration">>(
  context: C,
  place: {
    readonly repository: Pick<Repository, "path">;
    /** Absent for what belongs to no task. */
    readonly task?: Pick<Task, "settings">;
  },
): Promise<C> {
  const configuration = await context.configuration(place.repository, place.task?.settings ?? {});
  return configuration.isErr()
    ? { ...context, git: withCheckout(context.git, place.repository.path) }
    : withRepositoryGit(context, { repository: place.repository, configuration: configuration.value });
}
