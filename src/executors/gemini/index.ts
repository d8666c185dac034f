/** Drives the Gemini CLI (`gemini`), headless, by its own JSON stream: its login, its places and its command line. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  detectProgram,
  existsAny,
  folderOf,
  hasAny,
  type LoginFacts,
  type LoginState,
  loginKey,
} from "../shared/detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest } from "../shared/executor.ts";
import { configIn, jsonFile, launchEnv, NOTHING_SET, placeOf, programOf } from "../shared/launch.ts";
import { geminiParser } from "./parse-events.ts";
import { geminiDefaults, geminiEnv, geminiPolicy } from "./settings.ts";

export const gemini: Executor = {
  id: "gemini",
  label: "Gemini CLI",
  author: "Gemini <noreply@google.com>",
  builtIn: true,
  detect: (profile, probe) =>
    detectProgram(profile, probe, {
      program: "gemini",
      install: "`npm install --global @google/gemini-cli`",
      login: geminiLogin,
    }),
  plan,
  parser: geminiParser,
  places,
  login: (profile) =>
    loginKey(profile, {
      folders: ["GEMINI_CLI_HOME", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_CLOUD_PROJECT"],
      secrets: KEYS,
    }),
};

const CONFIG = {
  folders: ["agents", "commands", "extensions", "hooks", "policies", "skills"],
  files: { "GEMINI.md": "", "settings.json": NOTHING_SET, "trustedFolders.json": NOTHING_SET },
};

const VARIABLES_ARE_HERE =
  "# Tazuna put this file here, so that no agent can. The Gemini CLI reads it in place of the .env of your home folder.\n";

function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const home = placeOf(env, "GEMINI_CLI_HOME", []);
  const folder = join(home, ".gemini");
  // The CLI reads `.gemini/.env`, and the `.env` of the home folder only if the first is missing. So a file of ours at
  // the first place would hide a key in the second.
  const variables = existsSync(join(home, ".env"))
    ? { made: [".env"] }
    : { files: { ".env": VARIABLES_ARE_HERE } };
  const config = [...configIn(folder, CONFIG), ...configIn(folder, variables)];
  return { folders: [folder], files: [], config, own: [] };
}

function plan(request: LaunchRequest): LaunchPlan {
  return geminiPlan(request, { byRoot: process.getuid?.() === 0 });
}

/** Only root can write defaults that the CLI reads. For other users they would only cause a warning. */
export function geminiPlan(request: LaunchRequest, options: { readonly byRoot: boolean }): LaunchPlan {
  const policy = join(request.agentDir, "gemini-policy.toml");
  const defaults = options.byRoot ? join(request.agentDir, "gemini-defaults.json") : null;
  return {
    argv: geminiArgv(request, { policy }),
    env: launchEnv(request.profile, geminiEnv({ defaults })),
    stdin: "prompt",
    files: [
      { path: policy, content: geminiPolicy() },
      ...(defaults === null ? [] : [jsonFile(defaults, geminiDefaults(request.mcp))]),
    ],
    sessionId: request.session.resume ?? request.session.fresh,
  };
}

const KEYS = ["GEMINI_API_KEY", "GOOGLE_API_KEY"];

async function geminiLogin(facts: LoginFacts): Promise<LoginState> {
  const home = folderOf(facts, "GEMINI_CLI_HOME", []);
  const folder = join(home, ".gemini");
  if (hasAny(facts, [...KEYS, "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"]))
    return { state: "ready" };
  if (await existsAny(facts, [join(folder, "oauth_creds.json")])) return { state: "ready" };
  // A method chosen in the settings may use a keychain; a key may be in a .env file.
  const traces = [join(folder, "settings.json"), join(folder, ".env"), join(home, ".env")];
  if (await existsAny(facts, traces)) return { state: "unknown" };
  return { state: "missing", remedy: "Run `gemini` once and log in, or set GEMINI_API_KEY." };
}

/** Headless, events as JSON lines, the prompt on stdin. A session resumes only from the directory in which it began. */
function geminiArgv(request: LaunchRequest, files: { readonly policy: string }): readonly string[] {
  const { profile, session } = request;
  return [
    ...programOf(profile, "gemini"),
    ...["--output-format", "stream-json"],
    // In an unknown folder it would switch --yolo off again.
    ...["--yolo", "--skip-trust"],
    ...(profile.model === null ? [] : ["--model", profile.model]),
    ...(session.resume === null ? ["--session-id", session.fresh] : ["--resume", session.resume]),
    ...["--policy", files.policy],
    ...profile.args,
  ];
}
