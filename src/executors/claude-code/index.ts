/** Drives Claude Code (`claude`), headless, by its own JSON stream. */
import { join } from "node:path";
import { detectProgram } from "../detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
import { jsonFile, launchEnv, placeOf } from "../launch.ts";
import { claudeArgv } from "./argv.ts";
import { claudeLogin, claudeLoginKey } from "./login.ts";
import { claudeParser } from "./parse-events.ts";
import { claudeEnv, claudeMcp, claudeSettings } from "./settings.ts";

export const claudeCode: Executor = {
  id: "claude-code",
  label: "Claude Code",
  author: "Claude <noreply@anthropic.com>",
  builtIn: true,
  detect: (profile, probe) =>
    detectProgram(profile, probe, {
      program: "claude",
      install: "`npm install --global @anthropic-ai/claude-code`",
      login: claudeLogin,
    }),
  plan,
  parser: claudeParser,
  places,
  login: claudeLoginKey,
};

const OBEYED = [
  "CLAUDE.md",
  "agents",
  "commands",
  "hooks",
  "output-styles",
  "plugins/cache",
  "plugins/installed_plugins.json",
  "rules",
  "settings.json",
  "settings.local.json",
  "skills",
];

/** With a folder that the environment names, its one file of settings lies in there too. */
function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const folder = placeOf(env, "CLAUDE_CONFIG_DIR", [".claude"]);
  return {
    folders: [folder],
    files: env.CLAUDE_CONFIG_DIR ? [] : [join(env.HOME ?? "/nonexistent", ".claude.json")],
    obeyed: OBEYED.map((name) => join(folder, name)),
  };
}

function plan(request: LaunchRequest): LaunchPlan {
  const files = {
    settings: join(request.agentDir, "claude-settings.json"),
    mcp: join(request.agentDir, "claude-mcp.json"),
  };
  return {
    argv: claudeArgv(request, files),
    env: launchEnv(request.profile, claudeEnv(request)),
    stdin: "prompt",
    files: [jsonFile(files.settings, claudeSettings(request)), jsonFile(files.mcp, claudeMcp(request.mcp))],
    sessionId: request.session.resume ?? request.session.fresh,
  };
}
