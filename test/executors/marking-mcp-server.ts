/** Is a tiny MCP server over stdio that leaves a file behind once its tools were asked for. */
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [marker = ""] = process.argv.slice(2);

const tool = {
  name: "report_progress",
  description: "Takes a note.",
  inputSchema: { type: "object", properties: { note: { type: "string" } } },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "tools/list") writeFileSync(marker, process.env.MARK ?? "");
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method, params) }));
}

function resultOf(method: string, params: { readonly protocolVersion?: string }): object {
  if (method === "tools/list") return { tools: [tool] };
  if (method !== "initialize") return {};
  return {
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "marking", version: "1" },
  };
}
