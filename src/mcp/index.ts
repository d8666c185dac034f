/** Offers the tools over MCP to other programs: a server on any context, and a transport over two streams (`tazuna/mcp`). */
import "../tools/core/needs-node.ts";

export { createLineTransport, type LineStreams } from "./lines/line-transport.ts";
export type { SpecialTool } from "./results/special-tool.ts";
export { createMcpServer, type McpServerOptions } from "./server/create-mcp-server.ts";
export type { WorkspaceOptions } from "./server/follow-roots.ts";
export type { McpServer } from "./server/serve-tools.ts";
export { SPECIAL_TOOLS } from "./tool/special-tools.ts";
