/** Drives Claude Code (`claude`), headless, by its own JSON stream. */
import { join } from "node:path";
import { detectProgram } from "../detect.ts";
import type { AgentPlaces, Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
import { jsonFile, launchEnv, NOTHING_SET, obeyedIn, placeOf } from "../launch.ts";
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

/** `local` is where it may have installed itself. */
const OBEYED = {
  folders: ["agents", "commands", "hooks", "output-styles", "plugins", "rules", "skills"],
  files: { "CLAUDE.md": "", "settings.json": NOTHING_SET, "settings.local.json": NOTHING_SET },
  made: ["local"],
};

/**
 * With a folder that the environment names, its one file of settings, which names MCP servers, lies in there too. The program
 * writes that file anew at each start and does without.
 */
function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const folder = placeOf(env, "CLAUDE_CONFIG_DIR", [".claude"]);
  const state = env.CLAUDE_CONFIG_DIR
    ? obeyedIn(folder, { files: { ".claude.json": NOTHING_SET } })
    : obeyedIn(env.HOME ?? "/nonexistent", { made: [".claude.json"] });
  return {
    folders: [folder],
    files: [],
    obeyed: [...obeyedIn(folder, OBEYED), ...state],
    own: [join(folder, "shell-snapshots")],
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
