/** Shows which agents there are, their versions, and whether each could run now. */
import { err, ok, type Result } from "neverthrow";
import { repositoryByPath } from "../../storage/tables/repositories.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { hiddenWords, placeThatHides } from "../confinement/hidden-program.ts";
import type { AgentStatus } from "../core/answer-shapes.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { configurationRefusal, type Refusal } from "../core/refusal.ts";
import type { SettingsQuery } from "../core/request-shapes.ts";
import { findRepository } from "../repositories/register-repository.ts";
import { scriptsWithoutTrust } from "../trust/trust.ts";

/** What is asked about the agents' programs on this machine. */
type Machine = Uses<"executors" | "probe" | "sandbox" | "paths" | "userEnv" | "ownFolders">;

interface AnyDatabase {
  /** Null if it cannot be read: then nothing is trusted. */
  readonly db: ServiceContext["db"] | null;
  readonly owner: ServiceContext["owner"] | null;
}

/** Built-in agents first, then those of the configuration; asks their programs in parallel. */
export async function agentStatuses(
  context: Machine & Uses<"db" | "git" | "configuration" | "owner">,
  { repository, settings }: SettingsQuery,
): Promise<Result<readonly AgentStatus[], Refusal>> {
  const found = repository === null ? null : await findRepository(context, repository);
  const configuration = await context.configuration(found, settings);
  if (configuration.isErr()) return err(configurationRefusal(configuration.error));
  return ok(
    await statusesOf(context, { configuration: configuration.value, repository: found?.path ?? null }),
  );
}

/** The same for a configuration that is loaded already. A program without trust is not even asked for its version. */
export async function statusesOf(
  context: Machine & AnyDatabase,
  {
    configuration: loaded,
    repository,
    only = null,
  }: {
    readonly configuration: LoadedConfiguration;
    /** The agents to ask; absent: all. */
    readonly only?: readonly string[] | null;
    /** The checkout; null for none. */
    readonly repository: string | null;
  },
): Promise<readonly AgentStatus[]> {
  const { values: configuration } = loaded;
  const untrusted = await untrustedAgents(context, loaded, repository);
  const sandbox = configuration.isolation === "guard" ? null : await context.sandbox();
  const builtIn = [...context.executors.values()].filter((executor) => executor.builtIn).map(({ id }) => id);
  const ids = only ?? [...new Set([...builtIn, ...Object.keys(configuration.agents)])];
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
    const { profile } = agent.value;
    const { version, ready, reason, binary } = await agent.value.executor.detect(profile, context.probe);
    const { write } = configuration.sandbox;
    const hides =
      binary === null || sandbox === null
        ? null
        : placeThatHides(context, sandbox, {
            binary,
            program: profile.command?.[0] ?? "",
            repository,
            write,
          });
    if (hides === null || !ready || binary === null) return { id, executor, version, ready, reason };
    return { id, executor, version, ready: false, reason: `${hiddenWords(binary, hides)} ${elsewhere(id)}` };
  });
  return Promise.all(statuses);
}

/** Ids of the agents whose program a file of the repository names without trust. */
async function untrustedAgents(
  { db, owner }: AnyDatabase,
  configuration: LoadedConfiguration,
  repository: string | null,
): Promise<ReadonlySet<string>> {
  const known =
    db === null || repository === null
      ? null
      : await repositoryByPath(db.reader, repository, ownWorker({ db, owner }));
  const scripts = await scriptsWithoutTrust(db, { id: known?.id ?? null, configuration });
  return new Set(scripts.flatMap(({ kind, agent }) => (kind === "agent" && agent !== null ? [agent] : [])));
}

function elsewhere(id: string): string {
  return `Install it elsewhere, such as below your home folder. Or name its file in \`agents.${id}.command\`, if the program is that one file.`;
}

const UNTRUSTED =
  "A file of this repository names its program, and you have not trusted that yet. Run `tazuna trust` in this repository.";
