/** Derives an MCP tool description from the tool itself. */
import type { ListToolsResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Tool } from "../../tools/core/tool.ts";

type Described = ListToolsResult["tools"][number];

const described = new WeakMap<Tool, Described>();

/** Name, description and arguments are exactly the definition's; the rest says what it answers and does. */
export function describeTool(tool: Tool): Described {
  const known = described.get(tool);
  if (known !== undefined) return known;
  const { name, description, parameters } = tool.definition;
  const made = {
    name,
    title: tool.title,
    description,
    inputSchema: parameters,
    outputSchema: outputSchemaOf(tool),
    annotations: {
      title: tool.title,
      readOnlyHint: tool.effect === "reads",
      destructiveHint: tool.hints.destructive,
      idempotentHint: tool.hints.idempotent,
      openWorldHint: tool.hints.openWorld,
    },
  } as unknown as Described;
  described.set(tool, made);
  return made;
}

/** MCP requires an object at the root. A union of objects does not state that by itself. */
function outputSchemaOf(tool: Tool): Record<string, unknown> {
  return { type: "object", ...z.toJSONSchema(tool.output, { io: "output" }) };
}
