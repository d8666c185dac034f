/** Lists the tools that agents may be given, as a model is told about them. */
import type { ToolLine } from "../../cli/shared/cli-options.ts";
import { ToolCatalog } from "../../tools/catalog.ts";
import type { Tool } from "../../tools/core/tool.ts";

/** Those that work in any folder. */
export function listTools(): readonly ToolLine[] {
  return Object.values<Tool>(ToolCatalog)
    .filter(({ needs }) => needs === undefined)
    .map(({ definition, title }) => ({
      name: definition.name,
      title,
      description: definition.description,
      parameters: definition.parameters,
    }));
}
