/**
 * Drives Claude Code (`claude`), headless, by its own JSON stream: its login, its places and its command line (seed 003
 * Related files).
 */
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
  login: (profile) =>
    loginKey(profile, { folders: ["CLAUDE_CONFIG_DIR", "ANTHROPIC_BASE_URL"], secrets: SECRETS }),
};

/** `local` may hold the program itself, which installs and updates itself there. */
const CONFIG = {
  folders: ["agents", "commands", "hooks", "output-styles", "plugins", "rules", "skills"],
  files: { "CLAUDE.md": "", "settings.json": NOTHING_SET, "settings.local.json": NOTHING_SET },
  made: ["local"],
};

/**
 * If the environment names a folder, that folder also holds the one settings file, which names MCP servers. The
 * program writes that file anew at each start and works without it.
 */
function places(env: Readonly<Record<string, string>>): AgentPlaces {
  const folder = placeOf(env, "CLAUDE_CONFIG_DIR", [".claude"]);
  const state = env.CLAUDE_CONFIG_DIR
    ? configIn(folder, { files: { ".claude.json": NOTHING_SET } })
    : configIn(env.HOME ?? "/nonexistent", { made: [".claude.json"] });
  return {
    folders: [folder],
    files: [],
    config: [...configIn(folder, CONFIG), ...state],
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
    stdin: request.approvals === "ask" ? "lines" : "prompt",
    files: [jsonFile(files.settings, claudeSettings(request)), jsonFile(files.mcp, claudeMcp(request.mcp))],
    sessionId: request.session.resume ?? request.session.fresh,
  };
}

const SECRETS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];
const CLOUDS = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];

async function claudeLogin(facts: LoginFacts): Promise<LoginState> {
  const folder = folderOf(facts, "CLAUDE_CONFIG_DIR", [".claude"]);
  if (hasAny(facts, [...SECRETS, ...CLOUDS])) return { state: "ready" };
  if (await existsAny(facts, [join(folder, ".credentials.json")])) return { state: "ready" };
  // A keychain (macOS) or an apiKeyHelper cannot be inspected; both leave traces in these files.
  const traces = [
    join(facts.home, ".claude.json"),
    join(folder, ".claude.json"),
    join(folder, "settings.json"),
  ];
  if (await existsAny(facts, traces)) return { state: "unknown" };
  return { state: "missing", remedy: "Run `claude` once and log in, or set ANTHROPIC_API_KEY." };
}

interface ClaudeFiles {
  /** Absolute paths of the plan's files. */
  readonly settings: string;
  readonly mcp: string;
}

/**
 * Headless, events as JSON lines, the prompt on stdin. Options such as `--mcp-config` take many values and would
 * consume a prompt that is an argument.
 */
function claudeArgv(request: LaunchRequest, files: ClaudeFiles): readonly string[] {
  const { profile, session } = request;
  return [
    ...programOf(profile, "claude"),
    "--print",
    ...["--output-format", "stream-json", "--verbose"],
    ...(profile.model === null ? [] : ["--model", profile.model]),
    // We choose the id, so it is known before the process starts.
    ...(session.resume === null ? ["--session-id", session.fresh] : ["--resume", session.resume]),
    ...permissionArgv(request),
    ...["--settings", files.settings],
    ...["--mcp-config", files.mcp, "--strict-mcp-config"],
    ...profile.args,
  ];
}

/** If a person is asked, it writes questions to stdout, and reads the prompt and the answers from stdin. */
function permissionArgv({ approvals, isolation }: LaunchRequest): readonly string[] {
  if (approvals === "ask")
    return [
      ...["--input-format", "stream-json"],
      ...["--permission-mode", "acceptEdits"],
      ...["--permission-prompt-tool", "stdio"],
    ];
  return [
    ...["--permission-mode", isolation === "sandbox" ? "bypassPermissions" : "acceptEdits"],
    ...["--permission-prompts", "none"],
  ];
}
