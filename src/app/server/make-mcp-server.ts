/** Makes the MCP server of one client: every tool of the catalog, in a context of the client's own. */
import { cleanLine } from "../../contract/text.ts";
import { createMcpServer } from "../../mcp/server/create-mcp-server.ts";
import type { McpServer } from "../../mcp/server/serve-tools.ts";
import { SPECIAL_TOOLS } from "../../mcp/tool/special-tools.ts";
import { ToolCatalog } from "../../tools/catalog.ts";
import type { ToolContext } from "../../tools/core/context.ts";
import type { Tool } from "../../tools/core/tool.ts";

interface McpClientOptions {
  /** For this client only: it is closed when the client goes. */
  readonly context: ToolContext;
  /**
   * A context on this `file:` address, or null if it is not a folder. The whole is null if no root of the client
   * counts.
   */
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

/** UTF-16 units: a report may quote a whole message. */
const MAX_REPORT_LENGTH = 1_000;

/** Writes one line to standard error, which MCP clients read for messages that are not answers. */
export function reportMcp(what: unknown): void {
  const words = (what instanceof Error ? what.message : String(what)).slice(0, MAX_REPORT_LENGTH);
  process.stderr.write(`tazuna mcp: ${cleanLine(words)}\n`);
}
