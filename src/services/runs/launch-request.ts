/** Says what the executor of a run is asked to plan for; its parser is made with the same. */
import { join } from "node:path";
import type { LaunchRequest } from "../../executors/executor.ts";
import type { ResolvedAgent } from "../agents/resolve-agent.ts";
import type { ServiceContext } from "../context.ts";
import type { RunWorld } from "./step.ts";
import { toolkitServer } from "./toolkit-server.ts";

/** The request for one start; `resume` is the session to go on with. */
export function launchRequest(
  context: Pick<ServiceContext, "paths" | "newId" | "selfCommand" | "userEnv">,
  world: Pick<RunWorld, "run" | "attempt">,
  options: {
    readonly agent: Pick<ResolvedAgent, "profile">;
    readonly resume: string | null;
    readonly prompt: string;
    /** Whoever only reads what an agent said need not know it. */
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
    // In a folder of its own: the other one cannot be written to by a confined agent.
    summaryFile: join(context.paths.run(world.run.id), "summary", "summary.txt"),
    prompt: options.prompt,
    instruction: world.run.instruction,
    session: { resume: options.resume, fresh: context.newId() },
    isolation: options.isolation ?? "guard",
    mcp: [toolkitServer(context, world)],
    hook: options.hook ?? null,
  };
}
