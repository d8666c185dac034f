/** Builds the Gemini CLI's settings for one run: policy, and defaults below the user's own settings. */
import { AGENT_CONSTRAINTS, DENIED_GIT_COMMANDS } from "../../domain/agent/constraints.ts";
import type { McpServerSpec } from "../shared/executor.ts";
import { TOOL_CALL_S } from "../shared/launch.ts";

/**
 * Its "system defaults", the lowest in its order. Few attempts, because the orchestrator waits for all agents at
 * once. The CLI (0.61) reads such a file only if root alone owns and writes it and all folders above it. The other
 * ways to name MCP servers are files of the user or of the project. Tazuna must not write those.
 */
export function geminiDefaults(servers: readonly McpServerSpec[]): Readonly<Record<string, unknown>> {
  return {
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
    privacy: { usageStatisticsEnabled: false },
    ide: { enabled: false },
    mcpServers: Object.fromEntries(
      servers.map(({ name, command, args, env }) => [
        name,
        // In milliseconds, for each request.
        { command, args, env, trust: true, timeout: TOOL_CALL_S * 1000 },
      ]),
    ),
  };
}

export function geminiEnv(files: { readonly defaults: string | null }): Readonly<Record<string, string>> {
  return {
    ...(files.defaults === null ? {} : { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: files.defaults }),
    // Without it, a parent process waits for a relaunched child and ignores SIGTERM.
    GEMINI_CLI_NO_RELAUNCH: "true",
    GEMINI_TELEMETRY_ENABLED: "false",
    TERM: "xterm-256color",
  };
}

/** Its policy rules only help the model: they match prefixes, and `git -c a=b commit` passes them. */
export function geminiPolicy(): string {
  const commands = rule([
    'toolName = "run_shell_command"',
    `commandPrefix = [${DENIED_GIT_COMMANDS.map(toml).join(", ")}]`,
    `denyMessage = ${toml("The orchestrator writes git. Only edit files.")}`,
  ]);
  const paths = AGENT_CONSTRAINTS.forbiddenPaths
    .flatMap(pathPatterns)
    .map((pattern) =>
      rule([
        'toolName = ["read_file", "write_file", "replace"]',
        `argsPattern = ${toml(`"file_path":"${pattern}"`)}`,
        `denyMessage = ${toml("This path is not for agents.")}`,
      ]),
    );
  return [commands, ...paths].join("\n");
}

const rule = (fields: readonly string[]): string =>
  ["[[rule]]", ...fields, 'decision = "deny"', "priority = 900", ""].join("\n");

const toml = (value: string): string => JSON.stringify(value);

/** One expression for each form, because the CLI refuses nested repetition: the bare name, below a folder, above. */
function pathPatterns(glob: string): readonly string[] {
  const name = glob.replaceAll(".", "\\.").replaceAll("*", '[^/"]*');
  if (glob.startsWith("*")) return [`[^"]*${name.slice('[^/"]*'.length)}`];
  const forms = [name, `[^"]*/${name}`];
  return glob.includes("*") ? forms : [...forms, ...forms.map((form) => `${form}/[^"]*`)];
}
