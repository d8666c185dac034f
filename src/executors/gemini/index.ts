/** Drives the Gemini CLI (`gemini`), headless, by its own JSON stream. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { detectProgram } from "../detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
import { jsonFile, launchEnv, NOTHING_SET, obeyedIn, placeOf } from "../launch.ts";
import { geminiArgv } from "./argv.ts";
import { geminiLogin, geminiLoginKey } from "./login.ts";
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
  login: geminiLoginKey,
};

const OBEYED = {
  folders: ["agents", "commands", "extensions", "hooks", "policies", "skills"],
  files: { "GEMINI.md": "", "settings.json": NOTHING_SET, "trustedFolders.json": NOTHING_SET },
};

const VARIABLES_ARE_HERE =
  "# Tazuna put this file here, so that no agent can. The Gemini CLI reads it in place of the .env of your home folder.\n";

function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const home = placeOf(env, "GEMINI_CLI_HOME", []);
  const folder = join(home, ".gemini");
  // It reads one of both and this one first: an empty one would take the user's key away.
  const variables = existsSync(join(home, ".env"))
    ? { made: [".env"] }
    : { files: { ".env": VARIABLES_ARE_HERE } };
  const obeyed = [...obeyedIn(folder, OBEYED), ...obeyedIn(folder, variables)];
  return { folders: [folder], files: [], obeyed, own: [] };
}

function plan(request: LaunchRequest): LaunchPlan {
  return geminiPlan(request, { byRoot: process.getuid?.() === 0 });
}

/** Only root can write defaults that the CLI reads; for others they would only make it warn. */
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
