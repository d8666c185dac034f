/** Calls a tool by the name and the JSON that an agent sends; whatever they are, the answer is a value. */
import { ToolCatalog } from "../catalog.ts";
import type { ToolContext } from "../core/context.ts";
import { failure, type ToolResult } from "../core/result.ts";
import { createSecureTool } from "../core/secure-tool.ts";
import type { CallOptions, Tool } from "../core/tool.ts";

const TOOLS: ReadonlyMap<string, Tool> = new Map(Object.entries<Tool>(ToolCatalog));

/** Never throws and never rejects; an unknown name is `TOOL_NOT_FOUND`. */
export async function invokeTool(
  context: ToolContext,
  name: string,
  args?: unknown,
  options?: CallOptions,
): Promise<ToolResult<unknown>> {
  const tool = TOOLS.get(name);
  if (tool !== undefined) return createSecureTool(tool, context)(args, options);
  const known = [...TOOLS.keys()];
  return failure("TOOL_NOT_FOUND", `There is no tool ${quoted(name)}; there are ${known.join(", ")}.`, {
    details: { known },
  });
}

/** Names come from outside, whatever their declared type. */
function quoted(name: unknown): string {
  return typeof name === "string" ? JSON.stringify(name.slice(0, 100)) : `of that type (${typeof name})`;
}
