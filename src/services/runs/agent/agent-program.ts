/** Finds the program of a run's agent, or says why the agent cannot be started. */
import { err, ok, type Result } from "neverthrow";
import { type Failure, failure } from "../../../domain/run/failure.ts";
import type { ResolvedAgent } from "../../agents/resolve-agent.ts";
import type { Confinement } from "../../confinement/confine-run.ts";
import { hiddenWords, placeThatHides } from "../../confinement/hidden-program.ts";
import type { Uses } from "../../core/context-parts.ts";
import type { RunWorld } from "../../run-core/step.ts";

/** Its absolute path. */
export async function findProgram(
  context: Uses<"probe" | "sandbox" | "paths" | "userEnv" | "ownFolders">,
  { repository, configuration }: RunWorld,
  start: {
    readonly agent: ResolvedAgent;
    readonly program: string;
    /** Null before it is decided: then it is not known yet whether the sandbox hides the program. */
    readonly confinement: Confinement | null;
  },
): Promise<Result<string, Failure>> {
  const { agent, program, confinement } = start;
  const binary = await context.probe.which(program);
  if (binary === null) return err(missing(agent, program));
  if (confinement?.isolation !== "sandbox") return ok(binary);
  const hides = placeThatHides(context, await context.sandbox(), {
    binary,
    program,
    repository: repository.path,
    write: configuration.values.sandbox.write,
  });
  if (hides === null) return ok(binary);
  const details = { program, executor: agent.executor.id, hidden_by: hides };
  return err(failure("agent_not_found", hiddenWords(binary, hides), { details }));
}

/** The program is not on this machine. */
function missing({ profile, executor }: ResolvedAgent, program: string): Failure {
  const message = `The agent "${profile.id}" needs the program "${program}", which was not found.`;
  return failure("agent_not_found", message, { details: { program, executor: executor.id } });
}
