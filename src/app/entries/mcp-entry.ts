/** Serves the toolkit over MCP, on standard streams or a port, until its client ends or it is stopped. */
import { fileURLToPath } from "node:url";
import { err, type Result } from "neverthrow";
import type { CliError, McpOptions, McpServing } from "../../cli/shared/cli-options.ts";
import type { McpServer } from "../../mcp/server/serve-tools.ts";
import type { ToolContext } from "../../tools/core/context.ts";
import type { Settings } from "../process/settings.ts";
import { makeMcpServer } from "../server/make-mcp-server.ts";
import { serveOverStdio } from "../server/mcp-stdio.ts";
import { readToolRules, realFolder, type ToolRules } from "../server/tool-rules.ts";

export async function serveMcp(
  settings: Settings,
  options: McpOptions,
  onListen: (serving: McpServing) => void,
): Promise<Result<void, CliError>> {
  if (options.control) {
    const { serveControl } = await import("./control-entry.ts");
    return serveControl(settings, options, onListen);
  }
  const { httpPort } = options;
  const rules = await readToolRules(settings, options);
  if (rules.isErr()) return err(rules.error);
  const toolsIn = rules.value;
  if (httpPort === null) return serveOverStdio(() => stdioServer(settings, toolsIn));
  const { serveMcpHttp } = await import("../server/mcp-http.ts");
  const { workspace } = toolsIn;
  // Every client works in the folder that this server was started for, whatever roots it names.
  const makeServer = () =>
    makeMcpServer({ context: toolsIn.contextOn(workspace), openRoot: null, version: settings.version });
  return serveMcpHttp(settings, { place: { scope: workspace, makeServer }, port: httpPort, onListen });
}

function stdioServer({ version }: Settings, rules: ToolRules): McpServer {
  return makeMcpServer({
    context: rules.contextOn(rules.workspace),
    openRoot: rules.fixed ? null : (uri) => openRoot(rules, uri),
    version,
  });
}

/** Null if it is not a folder of this machine. */
function openRoot(rules: ToolRules, uri: string): ToolContext | null {
  try {
    const folder = realFolder(fileURLToPath(uri));
    return folder === null ? null : rules.contextOn(folder);
  } catch {
    return null;
  }
}
