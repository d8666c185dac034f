/** What a model is told about `codebase_search`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const CODEBASE_SEARCH_TOOL_DEFINITION = {
  name: "codebase_search",
  description:
    "Searches the text files of the workspace for a text or a regular expression, line by line, the most telling lines first.",
  parameters: {
    type: "object",
    properties: {
      query: { type: "string", description: "Text to search for, or a regular expression with regex." },
      path: {
        type: "string",
        default: ".",
        description: "Folder or file in workspace to search (default: workspace root).",
      },
      regex: {
        type: "boolean",
        default: false,
        description: "Whether query is a regular expression (default: false).",
      },
      case: {
        type: "string",
        enum: ["smart", "sensitive", "insensitive"],
        default: "smart",
        description: "smart minds the case only where query has a capital letter (default: smart).",
      },
      glob: {
        type: "string",
        description:
          "Only files that match, as a line of .gitignore would (e.g. *.{ts,tsx}, src/**/*.py, !*.test.ts).",
      },
      max_results: { type: "integer", default: 50, description: "Most lines to return (default: 50)." },
      context_lines: {
        type: "integer",
        default: 0,
        description: "Lines to show before and after each (default: 0).",
      },
    },
    required: ["query"],
  },
} as const satisfies ToolDefinition;
