/** What a model is told about each tool, by name: the flat form in which the seeds fix it. */
import { ToolCatalog } from "../tools/catalog.ts";

type Definitions = { readonly [Name in keyof typeof ToolCatalog]: (typeof ToolCatalog)[Name]["definition"] };

/** In the order of the catalog. */
export const TOOL_DEFINITIONS = Object.fromEntries(
  Object.entries(ToolCatalog).map(([name, tool]) => [name, tool.definition]),
) as Definitions;
