/** Looks for a login of Claude Code in variables and files. */
import { join } from "node:path";
import { existsAny, folderOf, hasAny, type LoginFacts, type LoginState, loginKey } from "../detect.ts";
import type { AgentProfile } from "../executor.ts";

const SECRETS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];
const CLOUDS = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];

export async function claudeLogin(facts: LoginFacts): Promise<LoginState> {
  const folder = folderOf(facts, "CLAUDE_CONFIG_DIR", [".claude"]);
  if (hasAny(facts, [...SECRETS, ...CLOUDS])) return { state: "ready" };
  if (await existsAny(facts, [join(folder, ".credentials.json")])) return { state: "ready" };
  // A keychain (macOS) or an apiKeyHelper cannot be looked into; both leave traces in these files.
  const traces = [
    join(facts.home, ".claude.json"),
    join(folder, ".claude.json"),
    join(folder, "settings.json"),
  ];
  if (await existsAny(facts, traces)) return { state: "unknown" };
  return { state: "missing", remedy: "Run `claude` once and log in, or set ANTHROPIC_API_KEY." };
}

export function claudeLoginKey(profile: AgentProfile): string {
  return loginKey(profile, { folders: ["CLAUDE_CONFIG_DIR", "ANTHROPIC_BASE_URL"], secrets: SECRETS });
}
