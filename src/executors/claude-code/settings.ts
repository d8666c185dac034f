/** Builds Claude Code's settings for one run: what it may do unasked, what never, and its MCP servers. */
import { AGENT_CONSTRAINTS, DENIED_GIT_COMMANDS } from "../../domain/agent/constraints.ts";
import type { LaunchRequest, McpServerSpec } from "../shared/executor.ts";
import { TOOL_CALL_S } from "../shared/launch.ts";
import { shellLine } from "../shared/shell-command.ts";

/**
 * Its own worktree tools would register worktrees without our knowledge. `ask_person` asks in place of its own tool,
 * whose questions would look like requests for a permission.
 */
const DENIED_TOOLS = ["EnterWorktree", "ExitWorktree", "AskUserQuestion"];

/** Deny rules only help the model: they match prefixes, and `git -c a=b commit` passes them. */
export function claudeSettings(request: LaunchRequest): Readonly<Record<string, unknown>> {
  return {
    ...(request.hook === null ? {} : { hooks: hooks(request.hook) }),
    permissions: {
      // If a person may be asked, our rules judge each command that Claude Code's own do not let pass.
      allow: [
        ...(request.approvals === "ask" ? [] : ["Bash"]),
        ...request.mcp.map((server) => `mcp__${server.name}`),
      ],
      deny: [
        ...DENIED_TOOLS,
        ...DENIED_GIT_COMMANDS.map((command) => `Bash(${command}:*)`),
        ...AGENT_CONSTRAINTS.forbiddenPaths.flatMap(pathRules),
      ],
    },
  };
}

/** Applies in every mode. If the hook does not answer in time, the command is not refused. */
function hooks(program: readonly string[]): Readonly<Record<string, unknown>> {
  const hook = { type: "command", command: shellLine(program), timeout: HOOK_S };
  return { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] };
}

/** A busy machine needs seconds to start a program. */
const HOOK_S = 30;

/** At any depth, for tools that read and for tools that write. */
function pathRules(pattern: string): readonly string[] {
  return ["Read", "Edit"].flatMap((tool) => [`${tool}(./${pattern})`, `${tool}(./**/${pattern})`]);
}

export function claudeMcp(servers: readonly McpServerSpec[]): Readonly<Record<string, unknown>> {
  const entries = servers.map(({ name, command, args, env }) => [
    name,
    // In milliseconds. It also allows a call to be silent that long.
    { type: "stdio", command, args, env, timeout: TOOL_CALL_S * 1000 },
  ]);
  return { mcpServers: Object.fromEntries(entries) };
}

/** Few retries, because the orchestrator sees all agents and waits for all of them. Only the model is called. */
export function claudeEnv(request: LaunchRequest): Readonly<Record<string, string>> {
  return {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "2",
    DISABLE_AUTOUPDATER: "1",
    // Our few tools are in the model's list, so it need not search for them.
    ENABLE_TOOL_SEARCH: "false",
    // In milliseconds: how long a server may take to start while many agents start.
    MCP_TIMEOUT: "60000",
    // A long call is waited for, and not moved to the background.
    CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: "0",
    ...(request.isolation === "sandbox" ? { IS_SANDBOX: "1" } : {}),
  };
}
