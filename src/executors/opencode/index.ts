/** Drives opencode (`opencode run`) by its own JSON stream: its login, its places and its command line. */
import { join } from "node:path";
import {
  detectProgram,
  existsAny,
  folderOf,
  type LoginFacts,
  type LoginState,
  loginKey,
} from "../shared/detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest } from "../shared/executor.ts";
import { configIn, launchEnv, placeOf, programOf } from "../shared/launch.ts";
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
  login: (profile) =>
    loginKey(profile, {
      folders: ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "OPENCODE_CONFIG"],
      secrets: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"],
    }),
};

const SCHEMA_ONLY = '{ "$schema": "https://opencode.ai/config.json" }\n';

/**
 * Many folders have two names, and opencode reads both. It installs plugins, and the types for plugins, into
 * `node_modules` and `package.json`.
 */
const CONFIG = {
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
    config: [
      ...configIn(configuration, CONFIG),
      // Programs and packages that it downloads at first use.
      ...configIn(data, { made: ["bin"] }),
      ...configIn(cache, { made: ["bin", "node_modules", "package.json"] }),
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

/**
 * It supports many providers, by keys, files and free models. So a login is found or unknown, never clearly missing.
 */
async function opencodeLogin(facts: LoginFacts): Promise<LoginState> {
  const data = folderOf(facts, "XDG_DATA_HOME", [".local", "share"]);
  const found = await existsAny(facts, [join(data, "opencode", "auth.json")]);
  return { state: found ? "ready" : "unknown" };
}

/** `opencode run`, events as JSON lines, the prompt on stdin. It chooses its session ids itself. */
function opencodeArgv(request: LaunchRequest): readonly string[] {
  const { profile, session } = request;
  return [
    ...programOf(profile, "opencode"),
    ...["run", "--format", "json"],
    ...(profile.model === null ? [] : ["--model", profile.model]),
    ...(session.resume === null ? [] : ["--session", session.resume]),
    ...profile.args,
  ];
}
