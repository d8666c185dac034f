/** Describes the MCP server by which an agent gets the tools of its attempt. */
import { agentEnvironment } from "../../domain/agent/environment.ts";
import type { McpServerSpec } from "../../executors/executor.ts";
import { PROXY_VARIABLES } from "../confinement/listed-network.ts";
import type { ServiceContext } from "../context.ts";
import { attemptVariables } from "./attempt-variables.ts";
import type { RunWorld } from "./step.ts";

/** Set where the agent is confined: the tools say by it what holds them. */
const SANDBOX_VARIABLE = "TAZUNA_SANDBOX";

/** Tools are called `tazuna/NAME`, or as each agent spells that. */
const SERVER_NAME = "tazuna";

/** Started over stdio by the agent itself, with the variables that bind it to this attempt. */
export function toolkitServer(
  context: Pick<ServiceContext, "selfCommand" | "paths" | "userEnv">,
  world: Pick<RunWorld, "run" | "attempt">,
): McpServerSpec {
  const [command = "", ...args] = context.selfCommand;
  const env = attemptVariables(context, world);
  const agents = agentEnvironment({
    user: context.userEnv,
    deny: [],
    cwd: world.attempt.worktree,
    added: {},
  });
  return {
    name: SERVER_NAME,
    command,
    args: [...args, "mcp"],
    env,
    inherit: [
      ...new Set([...Object.keys(agents.env), SANDBOX_VARIABLE, ...Object.keys(PROXY_VARIABLES)]),
    ].sort(),
  };
}
