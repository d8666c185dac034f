/** What a model is told about each tool, by name, in the flat form that the seeds define. */
import "../tools/core/needs-node.ts";
import { ToolCatalog } from "../tools/catalog.ts";

type Definitions = { readonly [Name in keyof typeof ToolCatalog]: (typeof ToolCatalog)[Name]["definition"] };

/** In the order of the catalog, and frozen with everything in it. */
export const TOOL_DEFINITIONS = Object.freeze(
  Object.fromEntries(Object.entries(ToolCatalog).map(([name, tool]) => [name, tool.definition])),
) as Definitions;
