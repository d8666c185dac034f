/** Declares tools that write their own MCP answers, and builds such answers (seed 004 Structured Output Pattern). */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ToolError, ToolResult } from "../../tools/core/result.ts";

/**
 * Answers one call; its arguments are not checked yet. `invoke` is the tool behind all its checks (policy, write
 * scope, arguments, paths). It never rejects, and stops when the client cancels the call.
 */
export type SpecialTool = (
  args: unknown,
  invoke: (args: unknown) => Promise<ToolResult<unknown>>,
) => Promise<CallToolResult>;

/**
 * One text for each message. If there is no data, the key is left out: clients refuse `null`.
 */
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

/** The fixed text of seed 004 for a code; null if it has none. */
export type Wording = (error: ToolError) => readonly string[] | null;

/**
 * Seed 004 fixes whole texts, so they do not begin with the code. A code without a fixed text gets `CODE: message`, as
 * in other tools. Programs find the code in `_meta.error`.
 */
export function wordedError(error: ToolError, wording: Wording): CallToolResult {
  const { code, message, retriable, details } = error;
  const result = toStructuredCallToolResult(wording(error) ?? [`${code}: ${message}`], null, true);
  return { ...result, _meta: { error: { code, retriable, details } } };
}
