/** Declares how a tool words its own answer over MCP. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ToolResult } from "../tools/core/result.ts";

/**
 * Answers one call, from arguments that nobody has looked at yet. `invoke` is the tool behind all its checks (policy,
 * write scope, arguments, paths): it never rejects, and stops when the client cancels the call.
 */
export type SpecialTool = (
  args: unknown,
  invoke: (args: unknown) => Promise<ToolResult<unknown>>,
) => Promise<CallToolResult>;
