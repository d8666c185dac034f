/** Makes the MCP server of one client: every tool of the catalog, in a context of the client's own. */
import { cleanLine } from "../contract/text.ts";
import { createMcpServer, type McpServer } from "../mcp/create-mcp-server.ts";
import { SPECIAL_TOOLS } from "../mcp/tool/special-tools.ts";
import { ToolCatalog } from "../tools/catalog.ts";
import type { ToolContext } from "../tools/core/context.ts";
import type { Tool } from "../tools/core/tool.ts";

export interface McpClientOptions {
  /** Nobody else's: it is closed when the client goes. */
  readonly context: ToolContext;
  /** A context on this `file:` address, or null where it is no folder; null where no root of the client counts. */
  readonly openRoot: ((uri: string) => ToolContext | null) | null;
  readonly version: string;
}

export function makeMcpServer({ context, openRoot, version }: McpClientOptions): McpServer {
  return createMcpServer({
    tools: Object.values<Tool>(ToolCatalog),
    special: SPECIAL_TOOLS,
    workspace: { first: context, openRoot, report: reportMcp },
    version,
  });
}

/** UTF-16 units: what is reported may quote a whole message. */
const LONGEST_REPORT = 1_000;

/** On standard error, where an MCP client looks for what is no answer; always one line. */
export function reportMcp(what: unknown): void {
  const words = (what instanceof Error ? what.message : String(what)).slice(0, LONGEST_REPORT);
  process.stderr.write(`tazuna mcp: ${cleanLine(words)}\n`);
}
