/** Writes the launch of the built-in demo agent, which is our own program under another verb. */
import { join } from "node:path";
import type { LaunchPlan, LaunchRequest } from "../executor.ts";
import { launchEnv } from "../launch.ts";

/** The verb under which `main.ts` becomes the demo agent. */
export const DEMO_VERB = "__demo";

/** Words of the demo's own command line, behind the verb. */
export function demoPlan(request: LaunchRequest, selfCommand: readonly string[]): LaunchPlan {
  const { profile, ids, agentDir, instruction, session } = request;
  const instructionFile = join(agentDir, "instruction.txt");
  const sessionId = session.resume ?? session.fresh;
  return {
    argv: [
      ...selfCommand,
      DEMO_VERB,
      ...["--attempt", ids.attempt],
      ...["--session", sessionId],
      ...["--instruction-file", instructionFile],
      ...(profile.model === null ? [] : ["--style", profile.model]),
      ...profile.args,
    ],
    env: launchEnv(profile, {}),
    stdin: "empty",
    files: [{ path: instructionFile, content: instruction }],
    sessionId,
  };
}
