/** Describes what the executor of a run should plan for; its parser is made from the same request. */
import { join } from "node:path";
import { agentEnvironment } from "../../../domain/agent/environment.ts";
import type { Approvals } from "../../../domain/question/approvals.ts";
import type { LaunchRequest, McpServerSpec } from "../../../executors/shared/executor.ts";
import type { ResolvedAgent } from "../../agents/resolve-agent.ts";
import { PROXY_VARIABLES } from "../../confinement/listed-network.ts";
import type { Uses } from "../../core/context-parts.ts";
import { attemptVariables } from "../../run-core/attempt-variables.ts";
import type { RunWorld } from "../../run-core/step.ts";
import { mailboxVariables } from "./run-mailbox.ts";

/** The request for one start; `resume` is the session with which to go on. */
export function launchRequest(
  context: Uses<"paths" | "newId" | "selfCommand" | "userEnv">,
  world: Pick<RunWorld, "run" | "attempt">,
  options: {
    readonly agent: Pick<ResolvedAgent, "profile">;
    readonly resume: string | null;
    readonly prompt: string;
    /** As the start has recorded it, since a line of the stream must always mean the same. */
    readonly approvals: Approvals;
    /** A caller that only reads what an agent said need not know it. */
    readonly isolation?: LaunchRequest["isolation"];
    readonly hook?: LaunchRequest["hook"];
  },
): LaunchRequest {
  const agentDir = join(context.paths.run(world.run.id), "agent");
  return {
    profile: options.agent.profile,
    ids: { task: world.attempt.taskId, attempt: world.attempt.id, run: world.run.id },
    worktree: world.attempt.worktree,
    agentDir,
    // In a folder of its own: a confined agent cannot write to the run's folder.
    summaryFile: join(context.paths.run(world.run.id), "summary", "summary.txt"),
    prompt: options.prompt,
    instruction: world.run.instruction,
    reviews: world.run.kind === "review",
    session: { resume: options.resume, fresh: context.newId() },
    isolation: options.isolation ?? "guard",
    approvals: options.approvals,
    mcp: [toolkitServer(context, world, options.agent)],
    hook: options.hook ?? null,
  };
}

/** Set if the agent is confined: it tells the tools what confines them. */
const SANDBOX_VARIABLE = "TAZUNA_SANDBOX";

/** Tools are called `tazuna/NAME`, or as each agent spells that. */
const SERVER_NAME = "tazuna";

/**
 * The MCP server that gives an agent the tools of its attempt. The agent itself starts it over stdio, with the
 * variables that bind it to this attempt.
 */
function toolkitServer(
  context: Uses<"selfCommand" | "paths" | "userEnv">,
  world: Pick<RunWorld, "run" | "attempt">,
  agent: Pick<ResolvedAgent, "profile">,
): McpServerSpec {
  const [command = "", ...args] = context.selfCommand;
  const env = { ...attemptVariables(context, world), ...mailboxVariables(context, world, agent) };
  const agents = agentEnvironment({
    user: context.userEnv,
    deny: [],
    cwd: world.attempt.worktree,
    added: {},
  });
  return {
    name: SERVER_NAME,
    command,
    args: [...args, "mcp", ...(world.run.kind === "review" ? ["--read-only"] : [])],
    env,
    inherit: [
      ...new Set([...Object.keys(agents.env), SANDBOX_VARIABLE, ...Object.keys(PROXY_VARIABLES)]),
    ].sort(),
  };
}
