/** Makes sure before anything is made on the disk that the run's agent can be started and may be. */
import { resolveAgent } from "../agents/resolve-agent.ts";
import { trustFailure } from "../configuration/trust-failure.ts";
import { confineRun } from "../confinement/confine-run.ts";
import type { ServiceContext } from "../context.ts";
import { missingProgram } from "./launch-agent.ts";
import { launchRequest } from "./launch-request.ts";
import { failed, type RunWorld, type Step } from "./step.ts";

/** The step that ends the run where its agent is unknown by now, missing, or not trusted; null where all is well. */
export async function checkAgent(context: ServiceContext, world: RunWorld): Promise<Step | null> {
  const { attempt, configuration } = world;
  const agent = resolveAgent(
    { id: attempt.agent, model: attempt.model },
    configuration.values,
    context.executors,
  );
  if (agent.isErr()) return failed("agent_not_found", agent.error.message);
  const { isolation, sandbox } = configuration.values;
  if (isolation === "sandbox" || sandbox.network !== "on") {
    const confinement = await confineRun(context, world);
    if (confinement.isErr()) return { event: "fail", failure: confinement.error };
  }
  // Tried while the worktree is made: known by the time the agent is due.
  if (isolation === "auto") void context.sandbox();
  const changed = await trustFailure(context, world);
  if (changed !== null) return { event: "fail", failure: changed };
  // A plan is only words; it says which program would be run.
  const request = launchRequest(context, world, { agent: agent.value, resume: null, prompt: "" });
  const program = agent.value.executor.plan(request).argv[0] ?? "";
  return (await context.probe.which(program)) === null
    ? { event: "fail", failure: missingProgram(agent.value, program) }
    : null;
}
