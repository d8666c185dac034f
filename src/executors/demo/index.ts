/** Offers the built-in demo agent, our own program under another verb, which needs no key and no network. */
import { join } from "node:path";
import type { Executor, LaunchPlan, LaunchRequest } from "../shared/executor.ts";
import { launchEnv, NO_PLACES } from "../shared/launch.ts";
import { demoParser } from "./parse-events.ts";

/** `selfCommand` starts our own program. */
export function createDemo(selfCommand: readonly string[]): Executor {
  return {
    id: "demo",
    label: "Demo",
    author: "Tazuna demo <demo@localhost>",
    builtIn: true,
    detect: async () => ({ version: null, ready: true, reason: null, binary: null }),
    plan: (request) => demoPlan(request, selfCommand),
    parser: demoParser,
    places: () => NO_PLACES,
    login: () => "demo",
  };
}

/** The verb under which `main.ts` becomes the demo agent. */
export const DEMO_VERB = "__demo";

function demoPlan(request: LaunchRequest, selfCommand: readonly string[]): LaunchPlan {
  const { profile, ids, agentDir, instruction, prompt, session } = request;
  const instructionFile = join(agentDir, "instruction.txt");
  const promptFile = join(agentDir, "prompt.txt");
  const sessionId = session.resume ?? session.fresh;
  return {
    argv: [
      ...selfCommand,
      DEMO_VERB,
      ...["--attempt", ids.attempt],
      ...["--session", sessionId],
      ...["--instruction-file", instructionFile],
      ...["--prompt-file", promptFile],
      ...(request.reviews === true ? ["--review"] : []),
      ...(session.resume === null ? [] : ["--resumed"]),
      ...(profile.model === null ? [] : ["--style", profile.model]),
      ...profile.args,
    ],
    env: launchEnv(profile, {}),
    stdin: "empty",
    files: [
      { path: instructionFile, content: instruction },
      { path: promptFile, content: prompt },
    ],
    sessionId,
  };
}
