/** Speaks MCP over standard input and output for one folder, with a policy of its own: examples/mcp-server.ts [FOLDER] */
import { resolve } from "node:path";
import { createToolContext, type Tool, ToolCatalog } from "tazuna";
import { createLineTransport, createMcpServer, SPECIAL_TOOLS } from "tazuna/mcp";

const context = createToolContext({
  workspaceRoot: resolve(process.argv[2] ?? "."),
  policy: { defaultPolicy: "allow", tools: { exec_command: "deny" } },
});
const server = createMcpServer({
  tools: Object.values<Tool>(ToolCatalog),
  special: SPECIAL_TOOLS,
  workspace: { first: context, openRoot: null, report: (message) => console.error(message) },
  version: "1.0.0",
});

const write = (text: string) =>
  new Promise<void>((done, fail) => process.stdout.write(text, (error) => (error ? fail(error) : done())));
await server.connect(createLineTransport({ input: process.stdin, write }));
await server.ended;
