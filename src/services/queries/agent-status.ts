/** Shows which agents there are, their versions, and whether each could run now. */
import { err, ok, type Result } from "neverthrow";
import type { Configuration } from "../../domain/configuration/schema.ts";
import { repositoryByPath } from "../../storage/repositories.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import { configurationRefusal } from "../configuration/configuration-refusal.ts";
import { untrustedAgents } from "../configuration/trust.ts";
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
  const known = found === null ? null : await repositoryByPath(context.db.reader, found.path);
  const untrusted = await untrustedAgents(context.db, {
    id: known?.id ?? null,
    configuration: configuration.value,
  });
  return ok(await statusesOf(context, { configuration: configuration.value.values, untrusted }));
}

/** The same for a configuration that is known already. A program that nobody trusts is not even asked for its version. */
export async function statusesOf(
  context: Pick<ServiceContext, "executors" | "probe">,
  {
    configuration,
    untrusted,
  }: { readonly configuration: Configuration; readonly untrusted: ReadonlySet<string> },
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
    const executor = agent.value.executor.id;
    if (untrusted.has(id)) return { id, executor, version: null, ready: false, reason: UNTRUSTED };
    const { version, ready, reason } = await agent.value.executor.detect(agent.value.profile, context.probe);
    return { id, executor, version, ready, reason };
  });
  return Promise.all(statuses);
}

const UNTRUSTED =
  "A file of this repository names its program, and nobody has trusted that yet. Run `tazuna trust` in this repository.";
