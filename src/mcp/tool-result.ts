/** Words a tool's envelope as the result of an MCP call. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ToolResult } from "../tools/core/result.ts";

/**
 * `structuredContent` is `data`, and for agents that read only text the same as JSON, or `text` where it is given. An
 * error has no `structuredContent`; its text begins with the code, and `_meta.error` holds what a program needs.
 */
export function callToolResult(result: ToolResult<unknown>, text?: string): CallToolResult {
  if (result.status !== "success") {
    const { code, message, retriable, details } = result.error;
    return {
      content: [{ type: "text", text: text ?? `${code}: ${message}` }],
      isError: true,
      _meta: { error: { code, retriable, details } },
    };
  }
  const { data, meta } = result;
  return {
    content: [{ type: "text", text: text ?? JSON.stringify(data) }],
    structuredContent: data as Record<string, unknown>,
    ...(meta === undefined ? {} : { _meta: { meta } }),
  };
}
