/** Finds what an agent id stands for: an agent of the configuration, or a built-in executor. Also for a whole task. */
import { err, ok, Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Configuration } from "../../domain/configuration/schema.ts";
import { nearestWord } from "../../domain/text/nearest.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import type { AgentProfile, Executor } from "../../executors/shared/executor.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, refused } from "../core/refusal.ts";
import type { CreateTask } from "../core/request-shapes.ts";

export interface ResolvedAgent {
  readonly profile: AgentProfile;
  readonly executor: Executor;
}

/** Executors that need a command and therefore an entry in the configuration. */
const NEED_COMMAND: ReadonlySet<string> = new Set(["command", "acp"]);

/** The agent called `id`, with the model that was asked for in place of the configured one. */
export function resolveAgent(
  asked: { readonly id: string; readonly model: string | null },
  configuration: Configuration,
  executors: ReadonlyMap<string, Executor>,
): Result<ResolvedAgent, Refusal> {
  const configured = configuration.agents[asked.id];
  const executorId = configured?.executor ?? asked.id;
  const executor = executors.get(executorId);
  if (executor === undefined)
    return err(
      unknownAgent(asked.id, configured === undefined ? null : executorId, configuration, executors),
    );
  if (NEED_COMMAND.has(executorId) && !configured?.command)
    return refused("bad_request", "agent_without_command", `The agent "${asked.id}" has no command to run.`, {
      remedy: howToGiveCommand(configured === undefined ? null : asked.id, executorId),
    });
  return ok({
    executor,
    profile: {
      id: asked.id,
      executor: executorId,
      model: asked.model ?? configured?.model ?? null,
      command: configured?.command ?? null,
      args: configured?.args ?? [],
      env: configured?.env ?? {},
      home: configured?.home ?? null,
      login: configured?.login ?? null,
      approvals: configured?.approvals ?? null,
    },
  });
}

/** The agent of an attempt, as the configuration describes it now. */
export function agentOf(
  { executors }: Uses<"executors">,
  world: {
    readonly attempt: Pick<Attempt, "agent" | "model">;
    readonly configuration: { readonly values: Configuration };
  },
): Result<ResolvedAgent, Refusal> {
  const { agent: id, model } = world.attempt;
  return resolveAgent({ id, model }, world.configuration.values, executors);
}

/** A name and a program to begin with; a relative program lies beside the file that names it. */
function howToGiveCommand(configured: string | null, executor: string): string {
  const id = configured ?? "my-agent";
  const agent = JSON.stringify({ executor, command: [`./${id}`] });
  const set = `\`tazuna config set agents.${id} ${shellWord(agent)}\``;
  const where = `${set} names the program ${id} in the data folder; name your own in its place.`;
  return configured === null ? `${where} Then run it with \`--agent ${id}\`.` : where;
}

function unknownAgent(
  id: string,
  executorId: string | null,
  configuration: Configuration,
  executors: ReadonlyMap<string, Executor>,
): Refusal {
  const unknown = executorId ?? id;
  const known = [
    ...new Set([...(executorId === null ? Object.keys(configuration.agents) : []), ...executors.keys()]),
  ];
  const near = nearestWord(unknown, known);
  const what =
    executorId === null
      ? `Unknown agent "${id}"`
      : `The agent "${id}" names an unknown executor "${executorId}"`;
  const message = `${what}${near === null ? "" : `; did you mean "${near}"?`}`;
  return refuse("bad_request", "unknown_agent", message, {
    remedy: `Known are: ${known.join(", ")}. \`tazuna agents\` shows which are ready.`,
    details: { agent: id, known, nearest: near },
  });
}

/** The agents of a new task, at least one. A request that names none means those of the configuration. */
export function agentsOfTask(
  { agents: asked, branch }: Pick<CreateTask, "agents" | "branch">,
  configuration: Configuration,
  executors: ReadonlyMap<string, Executor>,
): Result<readonly ResolvedAgent[], Refusal> {
  const byDefault = asked.length === 0;
  const wanted = byDefault ? configuration.default_agents.map((id) => ({ id, model: null })) : asked;
  if (wanted.length === 0) return err(noAgent(Object.keys(configuration.agents)));
  if (branch !== null && wanted.length > 1) return err(ONE_AGENT_ONLY);
  const resolved = Result.combine(wanted.map((agent) => resolveAgent(agent, configuration, executors)));
  return byDefault ? resolved.mapErr(ofDefaults) : resolved;
}

function noAgent([known = "claude-code"]: readonly string[]): Refusal {
  const list = shellWord(JSON.stringify([known]));
  return refuse("bad_request", "no_agent", "No agent was named.", {
    remedy: `Name one, such as \`--agent ${shellWord(known)}\`, or set who works by default: \`tazuna config set default_agents ${list}\`. \`tazuna agents\` shows which are ready.`,
  });
}

const ONE_AGENT_ONLY = refuse(
  "bad_request",
  "branch_for_one_agent",
  "An existing branch can be worked on by one agent only.",
  { remedy: "Leave out `--branch`: each agent has a branch of its own. Or name one agent." },
);

/** The person did not type the refused name, so the refusal says which setting holds it. */
function ofDefaults(refusal: Refusal): Refusal {
  return { ...refusal, message: `\`default_agents\` of the configuration: ${refusal.message}` };
}
