/** Builds the settings of Claude Code for one run: what it may do unasked, what never, and its MCP servers. */
import { AGENT_CONSTRAINTS, DENIED_GIT_COMMANDS } from "../../domain/agent/constraints.ts";
import type { LaunchRequest, McpServerSpec } from "../executor.ts";

/** Its own worktree tools would register worktrees behind our back. */
const DENIED_TOOLS = ["EnterWorktree", "ExitWorktree"];

/** Deny rules are a courtesy to the model: they match prefixes, and `git -c a=b commit` passes them. */
export function claudeSettings(request: LaunchRequest): Readonly<Record<string, unknown>> {
  return {
    permissions: {
      allow: ["Bash", ...request.mcp.map((server) => `mcp__${server.name}`)],
      deny: [
        ...DENIED_TOOLS,
        ...DENIED_GIT_COMMANDS.map((command) => `Bash(${command}:*)`),
        ...AGENT_CONSTRAINTS.forbiddenPaths.flatMap(pathRules),
      ],
    },
  };
}

/** At any depth, for the tools that read and for those that write. */
function pathRules(pattern: string): readonly string[] {
  return ["Read", "Edit"].flatMap((tool) => [`${tool}(./${pattern})`, `${tool}(./**/${pattern})`]);
}

export function claudeMcp(servers: readonly McpServerSpec[]): Readonly<Record<string, unknown>> {
  const entries = servers.map(({ name, command, args, env }) => [
    name,
    { type: "stdio", command, args, env },
  ]);
  return { mcpServers: Object.fromEntries(entries) };
}

/** Retries are few, since the orchestrator sees all agents and waits for all of them; nothing but the model is called. */
export function claudeEnv(request: LaunchRequest): Readonly<Record<string, string>> {
  return {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "2",
    DISABLE_AUTOUPDATER: "1",
    // The few tools of ours stand in the model's list instead of behind a search.
    ENABLE_TOOL_SEARCH: "false",
    // In milliseconds: how long a server may take to start while many agents do.
    MCP_TIMEOUT: "60000",
    ...(request.isolation === "sandbox" ? { IS_SANDBOX: "1" } : {}),
  };
}
