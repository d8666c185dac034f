/** Builds Codex's configuration for one run, as pairs for `--config`, over the user's own file. */
import { join } from "node:path";
import type { LaunchRequest, McpServerSpec } from "../executor.ts";
import { shellLine } from "../shell-command.ts";

/** Key and TOML value. */
type Setting = readonly [string, string];

/**
 * Its sandbox is what keeps it from git: the real gitdir is read-only in it. Rules against single commands live in
 * its home folder, which is the user's, so the prompt alone forbids them.
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
 * Only inside our sandbox: the flag that lets it run has the repository's own hooks run as well, and they would run outside of
 * Codex's sandbox.
 */
export function hookOf({ isolation, hook }: LaunchRequest): readonly (readonly string[])[] {
  return isolation === "sandbox" && hook !== null ? [hook] : [];
}

function hook(program: readonly string[]): Setting {
  const command = `{type="command",command=${toml(shellLine(program))},timeout=30}`;
  return ["hooks.PreToolUse", `[{matcher="Bash",hooks=[${command}]}]`];
}

/** The machine's temporary folders hold other attempts' files: the run gets one of its own. */
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

/** It hands a few variables on by itself, the others only by name; names of what is not there do no harm. */
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
    // Many agents may start at once, and a command may take two minutes.
    "startup_timeout_sec=60",
    "tool_timeout_sec=180",
    // Ours only; without it a call that is not marked read-only would ask, and nobody is there to answer.
    `default_tools_approval_mode=${toml("approve")}`,
  ];
  return [`mcp_servers.${name}`, `{${fields.join(",")}}`];
}

/** A TOML basic string; JSON's escapes are a subset of TOML's, but for DEL. */
function toml(value: string): string {
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
