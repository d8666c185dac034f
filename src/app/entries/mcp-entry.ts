/** Serves the toolkit over MCP, on standard streams or a port, until its client ends or it is stopped. */
import { fileURLToPath } from "node:url";
import { err, type Result } from "neverthrow";
import type { CliError, McpOptions, McpServing } from "../../cli/shared/cli-options.ts";
import { createLineTransport } from "../../mcp/lines/line-transport.ts";
import type { McpServer } from "../../mcp/server/create-mcp-server.ts";
import type { ToolContext } from "../../tools/core/context.ts";
import { settlesWithin } from "../../utils/time/waiting.ts";
import { claimStdout } from "../process/claim-stdout.ts";
import type { Settings } from "../process/settings.ts";
import { signaled } from "../process/signaled.ts";
import { makeMcpServer, reportMcp } from "../server/make-mcp-server.ts";
import { readToolRules, realFolder, type ToolRules } from "../server/tool-rules.ts";

/** How long a client that has gone may take to read earlier answers. */
const LAST_ANSWERS_MS = 1_000;

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

/** Serves one client on standard input and output, and ends this process with it. */
export async function serveOverStdio(makeServer: () => McpServer): Promise<never> {
  const { write, end } = claimStdout();
  const server = makeServer();
  const stopSignal = signaled();
  if (process.stdin.isTTY)
    reportMcp("This is for agents, which speak MCP on standard input; Ctrl-C ends it.");
  await server.connect(createLineTransport({ input: Bun.stdin.stream(), write }));
  await Promise.race([server.ended, stopSignal]);
  await server.close();
  // A client that has gone may keep the pipe open without reading it. This process ends anyway.
  await settlesWithin(LAST_ANSWERS_MS, end());
  process.exit(0);
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
