/** Shows which agents there are, their versions, and whether each could run now. */
import { err, ok, type Result } from "neverthrow";
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
  if (configuration.isErr()) return err(configurationRefusal(configuration.error));
  const builtIn = [...context.executors.values()].filter((executor) => executor.builtIn).map(({ id }) => id);
  const configured = Object.keys(configuration.value.values.agents);
  const ids = [...new Set([...builtIn, ...configured])];
  const statuses = ids.map(async (id): Promise<AgentStatus> => {
    const agent = resolveAgent({ id, model: null }, configuration.value.values, context.executors);
    if (agent.isErr())
      return {
        id,
        executor: configuration.value.values.agents[id]?.executor ?? id,
        version: null,
        ready: false,
        reason: agent.error.message,
      };
    const { version, ready, reason } = await agent.value.executor.detect(agent.value.profile, context.probe);
    return { id, executor: agent.value.executor.id, version, ready, reason };
  });
  return ok(await Promise.all(statuses));
}
