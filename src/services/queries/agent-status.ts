/** Shows which agents there are, their versions, and whether each could run now. */
import { err, ok, type Result } from "neverthrow";
import type { Configuration } from "../../domain/configuration/schema.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import { configurationRefusal } from "../configuration/configuration-refusal.ts";
import type { ServiceContext } from "../context.ts";
import { findRepository } from "../repositories/register-repository.ts";
import type { AgentStatus, Refusal } from "../services.ts";

/** Built-in agents first, then those of the configuration; programs are asked side by side. */
export async function agentStatuses(
  context: ServiceContext,
  repository: string | null,
): Promise<Result<readonly AgentStatus[], Refusal>> {
  const found = repository === null ? null : await findRepository(context, repository);
  const configuration = await context.configuration(found);
  return configuration.isErr()
    ? err(configurationRefusal(configuration.error))
    : ok(await statusesOf(context, configuration.value.values));
}

/** The same for a configuration that is known already. */
export async function statusesOf(
  context: Pick<ServiceContext, "executors" | "probe">,
  configuration: Configuration,
): Promise<readonly AgentStatus[]> {
  const builtIn = [...context.executors.values()].filter((executor) => executor.builtIn).map(({ id }) => id);
  const ids = [...new Set([...builtIn, ...Object.keys(configuration.agents)])];
  const statuses = ids.map(async (id): Promise<AgentStatus> => {
    const agent = resolveAgent({ id, model: null }, configuration, context.executors);
    if (agent.isErr())
      return {
        id,
        executor: configuration.agents[id]?.executor ?? id,
        version: null,
        ready: false,
        reason: agent.error.message,
      };
    const { version, ready, reason } = await agent.value.executor.detect(agent.value.profile, context.probe);
    return { id, executor: agent.value.executor.id, version, ready, reason };
  });
  return Promise.all(statuses);
}
