/** Drives Claude Code (`claude`), headless, by its own JSON stream. */
import { join } from "node:path";
import { detectProgram } from "../detect.ts";
import type { Executor, LaunchPlan, LaunchRequest } from "../executor.ts";
import { jsonFile, launchEnv } from "../launch.ts";
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
  login: claudeLoginKey,
};

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
