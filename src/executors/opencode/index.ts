/** Drives opencode (`opencode run`) by its own JSON stream. */
import { join } from "node:path";
import { detectProgram } from "../detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
import { launchEnv, obeyedIn, placeOf } from "../launch.ts";
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

const SCHEMA_ONLY = '{ "$schema": "https://opencode.ai/config.json" }\n';

/** Many of them by two names: it reads both. Types for plugins, and plugins, it installs beside. */
const OBEYED = {
  folders: [
    ...["agent", "agents", "command", "commands", "mode", "modes", "plugin", "plugins"],
    ...["skill", "skills", "tool", "tools", "node_modules"],
  ],
  files: {
    "AGENTS.md": "",
    "config.json": SCHEMA_ONLY,
    "opencode.json": SCHEMA_ONLY,
    "opencode.jsonc": SCHEMA_ONLY,
  },
  made: ["package.json"],
};

function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const at = (variable: string, ...usual: string[]) => join(placeOf(env, variable, usual), "opencode");
  const configuration = at("XDG_CONFIG_HOME", ".config");
  const data = at("XDG_DATA_HOME", ".local", "share");
  const cache = at("XDG_CACHE_HOME", ".cache");
  return {
    folders: [configuration, data, at("XDG_STATE_HOME", ".local", "state"), cache],
    files: [],
    obeyed: [
      ...obeyedIn(configuration, OBEYED),
      // Programs and packages that it fetches when it needs them first.
      ...obeyedIn(data, { made: ["bin"] }),
      ...obeyedIn(cache, { made: ["bin", "node_modules", "package.json"] }),
    ],
    // Repositories of its own, in which it runs git.
    own: [join(data, "snapshot")],
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
