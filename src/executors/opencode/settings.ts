/** Builds opencode's configuration for one run, passed in a variable, over the user's own files. */
import { AGENT_CONSTRAINTS, DENIED_GIT_COMMANDS } from "../../domain/agent/constraints.ts";
import type { LaunchRequest, McpServerSpec } from "../shared/executor.ts";
import { TOOL_CALL_S } from "../shared/launch.ts";

const denied = (patterns: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(patterns.map((pattern) => [pattern, "deny"]));

export function opencodeEnv(request: LaunchRequest): Readonly<Record<string, string>> {
  return {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(request.mcp)),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  };
}

/** The last matching rule wins, so the denials come last. They match prefixes: `git -c a=b commit` passes them. */
function opencodeConfig(servers: readonly McpServerSpec[]): Readonly<Record<string, unknown>> {
  const paths = AGENT_CONSTRAINTS.forbiddenPaths.flatMap((path) => [path, `*/${path}`]);
  return {
    autoupdate: false,
    share: "disabled",
    permission: {
      edit: { "*": "allow", ...denied(paths) },
      read: { "*": "allow", ...denied(paths) },
      bash: { "*": "allow", ...denied(DENIED_GIT_COMMANDS.map((command) => `${command}*`)) },
      external_directory: "deny",
    },
    mcp: Object.fromEntries(
      servers.map(({ name, command, args, env }) => [
        name,
        {
          type: "local",
          command: [command, ...args],
          environment: env,
          enabled: true,
          // In milliseconds, also for its start: the default of five seconds is short if many agents start at once.
          timeout: TOOL_CALL_S * 1000,
        },
      ]),
    ),
  };
}
