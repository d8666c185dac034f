/** Drives opencode (`opencode run`) by its own JSON stream. */
import { detectProgram } from "../detect.ts";
import type { Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
import { launchEnv } from "../launch.ts";
import { opencodeArgv } from "./argv.ts";
import { opencodeLogin, opencodeLoginKey } from "./login.ts";
import { opencodeParser } from "./parse-events.ts";
import { opencodeEnv } from "./settings.ts";

export const opencode: Executor = {
  id: "opencode",
  label: "opencode",
  author: "opencode <noreply@opencode.ai>",
  builtIn: true,
  detect: (profile, probe) =>
    detectProgram(profile, probe, {
      program: "opencode",
      install: "`npm install --global opencode-ai`",
      login: opencodeLogin,
    }),
  plan,
  parser: opencodeParser,
  login: opencodeLoginKey,
};

function plan(request: LaunchRequest): LaunchPlan {
  return {
    argv: opencodeArgv(request),
    env: launchEnv(request.profile, opencodeEnv(request)),
    stdin: "prompt",
    files: [],
    sessionId: request.session.resume,
  };
}
