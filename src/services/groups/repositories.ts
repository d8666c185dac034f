/** Joins what registers, shows, moves and trusts repositories. */
import { err, ok } from "neverthrow";
import { cloneFromUrl } from "../clones/clone-repository.ts";
import type { ServiceContext } from "../core/context.ts";
import { configurationRefusal } from "../core/refusal.ts";
import type { Services } from "../core/services.ts";
import { listedRepositories } from "../demo/listed-repositories.ts";
import { branchesOf, fetchAsked } from "../new-task/look-into.ts";
import { moveRepository } from "../repositories/move-repository.ts";
import { registerRepository } from "../repositories/register-repository.ts";
import { removeRepository } from "../repositories/remove-repository.ts";
import { listScripts, trustScripts } from "../trust/trust.ts";
import type { ServiceMemory } from "./memory.ts";

export function repositoryServices(context: ServiceContext, { findFiles }: ServiceMemory) {
  const withConfiguration = async (idOrPath: string) => {
    const repository = await registerRepository(context, idOrPath);
    if (repository.isErr()) return err(repository.error);
    const configuration = await context.configuration(repository.value);
    if (configuration.isErr()) return err(configurationRefusal(configuration.error));
    return ok({ repository: repository.value, configuration: configuration.value });
  };
  return {
    repositories: () => listedRepositories(context),
    branches: (of) => branchesOf(context, of),
    files: (of) => findFiles(context, of),
    fetchRepository: (id, gone) => fetchAsked(context, id, gone),
    addRepository: (path) => registerRepository(context, path),
    cloneRepository: (url, gone) => cloneFromUrl(context, url, { signal: gone }),
    moveRepository: (id, path) => moveRepository(context, id, path),
    removeRepository: (named) => removeRepository(context, named),
    scripts: async ({ repository }) => {
      const found = await withConfiguration(repository);
      return found.isErr() ? err(found.error) : ok(await listScripts(context, found.value));
    },
    trust: async ({ repository, hashes }) => {
      const found = await withConfiguration(repository);
      return found.isErr() ? err(found.error) : ok(await trustScripts(context, { ...found.value, hashes }));
    },
  } satisfies Partial<Services>;
}
