/** Makes an MCP result of messages and data, in the order of seed 004 (Structured Output Pattern). */
import type { CallToolResult } from "@modelcontextprotocol/server";

/** One text for each message. Where there is no data the key is left out: clients refuse `null` (product contract, section 13). */
export function toStructuredCallToolResult(
  messages: readonly string[],
  data: Readonly<Record<string, unknown>> | null,
  isError: boolean,
): CallToolResult {
  return {
    content: messages.map((text) => ({ type: "text" as const, text })),
    ...(data === null ? {} : { structuredContent: { ...data } }),
    isError,
  };
}
