/** Builds the settings of Claude Code for one run: what it may do unasked, what never, and its MCP servers. */
import { AGENT_CONSTRAINTS, DENIED_GIT_COMMANDS } from "../../domain/agent/constraints.ts";
import type { LaunchRequest, McpServerSpec } from "../executor.ts";
import { shellLine } from "../shell-command.ts";

/** Its own worktree tools would register worktrees behind our back. */
const DENIED_TOOLS = ["EnterWorktree", "ExitWorktree"];

/** Deny rules are a courtesy to the model: they match prefixes, and `git -c a=b commit` passes them. */
export function claudeSettings(request: LaunchRequest): Readonly<Record<string, unknown>> {
  return {
    ...(request.hook === null ? {} : { hooks: hooks(request.hook) }),
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

/** Held in every mode; what it does not answer in time is not refused. */
function hooks(program: readonly string[]): Readonly<Record<string, unknown>> {
  const hook = { type: "command", command: shellLine(program), timeout: HOOK_S };
  return { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] };
}

/** A busy machine needs seconds to start a program. */
const HOOK_S = 30;

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
