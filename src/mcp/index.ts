/** The tools over MCP for programs of others: a server on any context, and a transport over two streams (`tazuna/mcp`). */
export { createMcpServer, type McpServer, type McpServerOptions } from "./create-mcp-server.ts";
export type { WorkspaceOptions } from "./follow-roots.ts";
export { createLineTransport, type LineStreams } from "./line-transport.ts";
export type { SpecialTool } from "./special-tool.ts";
export { SPECIAL_TOOLS } from "./tool/special-tools.ts";
