/** Drives opencode (`opencode run`) by its own JSON stream. */
import { join } from "node:path";
import { detectProgram } from "../detect.ts";
import type { Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
import { launchEnv, placeOf } from "../launch.ts";
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
  places: (env) => ({ folders: opencodeFolders(env), files: [] }),
  login: opencodeLoginKey,
};

function opencodeFolders(env: Readonly<Record<string, string>>): readonly string[] {
  return [
    placeOf(env, "XDG_CONFIG_HOME", [".config"]),
    placeOf(env, "XDG_DATA_HOME", [".local", "share"]),
    placeOf(env, "XDG_STATE_HOME", [".local", "state"]),
    placeOf(env, "XDG_CACHE_HOME", [".cache"]),
  ].map((folder) => join(folder, "opencode"));
}

function plan(request: LaunchRequest): LaunchPlan {
  return {
    argv: opencodeArgv(request),
    env: launchEnv(request.profile, opencodeEnv(request)),
    stdin: "prompt",
    files: [],
    sessionId: request.session.resume,
  };
}
