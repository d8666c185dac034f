/** Drives opencode (`opencode run`) by its own JSON stream. */
import { join } from "node:path";
import { detectProgram } from "../detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
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
  places,
  login: opencodeLoginKey,
};

/** Many of them by two names: it reads both. */
const OBEYED = [
  "AGENTS.md",
  "agent",
  "agents",
  "command",
  "commands",
  "config.json",
  "opencode.json",
  "opencode.jsonc",
  "plugin",
  "plugins",
  "skill",
  "skills",
  "tool",
  "tools",
];

function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const configuration = join(placeOf(env, "XDG_CONFIG_HOME", [".config"]), "opencode");
  const others = [
    placeOf(env, "XDG_DATA_HOME", [".local", "share"]),
    placeOf(env, "XDG_STATE_HOME", [".local", "state"]),
    placeOf(env, "XDG_CACHE_HOME", [".cache"]),
  ].map((folder) => join(folder, "opencode"));
  return {
    folders: [configuration, ...others],
    files: [],
    obeyed: OBEYED.map((name) => join(configuration, name)),
  };
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
