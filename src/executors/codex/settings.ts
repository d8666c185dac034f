/** Builds Codex's configuration for one run, as pairs for `--config`, over the user's own file. */
import { join } from "node:path";
import type { LaunchRequest, McpServerSpec } from "../shared/executor.ts";
import { TOOL_CALL_S } from "../shared/launch.ts";
import { shellLine } from "../shared/shell-command.ts";

/** Key and TOML value. */
type Setting = readonly [string, string];

/**
 * Its sandbox keeps it away from git: the real gitdir is read-only in it. Rules against single commands would be in
 * its home folder, which is the user's. So only the prompt forbids them.
 */
export function codexConfig(request: LaunchRequest): readonly Setting[] {
  return [
    ["approval_policy", toml("never")],
    ...(request.isolation === "guard" ? confinement(request) : []),
    ...hookOf(request).map(hook),
    ["check_for_update_on_startup", "false"],
    ["analytics.enabled", "false"],
    ["otel.exporter", toml("none")],
    ["otel.metrics_exporter", toml("none")],
    ["otel.trace_exporter", toml("none")],
    ...request.mcp.map((server) => mcpServer(server, Object.keys(request.profile.env))),
  ];
}

/**
 * Only inside our sandbox. The flag that enables this hook also enables the repository's own hooks, which would run
 * outside of Codex's sandbox.
 */
export function hookOf({ isolation, hook }: LaunchRequest): readonly (readonly string[])[] {
  return isolation === "sandbox" && hook !== null ? [hook] : [];
}

function hook(program: readonly string[]): Setting {
  const command = `{type="command",command=${toml(shellLine(program))},timeout=30}`;
  return ["hooks.PreToolUse", `[{matcher="Bash",hooks=[${command}]}]`];
}

/** The machine's temporary folders hold other attempts' files, so the run gets its own. */
function confinement(request: LaunchRequest): readonly Setting[] {
  return [
    ["sandbox_workspace_write.exclude_slash_tmp", "true"],
    ["sandbox_workspace_write.exclude_tmpdir_env_var", "true"],
    ["sandbox_workspace_write.writable_roots", `[${toml(temporaryFolder(request))}]`],
  ];
}

/** Writable for the agent's commands, and its `TMPDIR`. */
export function temporaryFolder(request: LaunchRequest): string {
  return join(request.agentDir, "tmp");
}

/** It passes on a few variables by itself, the others only by name. Names of missing variables do no harm. */
function mcpServer(
  { name, command, args, env, inherit }: McpServerSpec,
  ofProfile: readonly string[],
): Setting {
  const variables = Object.entries(env).map(([key, value]) => `${toml(key)}=${toml(value)}`);
  const fields = [
    `command=${toml(command)}`,
    `args=[${args.map(toml).join(",")}]`,
    `env={${variables.join(",")}}`,
    `env_vars=[${[...inherit, ...ofProfile].map(toml).join(",")}]`,
    // Many agents may start at once.
    "startup_timeout_sec=60",
    `tool_timeout_sec=${TOOL_CALL_S}`,
    // Only for our servers. Without it, a call that is not marked read-only would ask, and no person could answer.
    `default_tools_approval_mode=${toml("approve")}`,
  ];
  return [`mcp_servers.${name}`, `{${fields.join(",")}}`];
}

/** A TOML basic string. JSON's escapes are a subset of TOML's, except for DEL. */
function toml(value: string): string {
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
