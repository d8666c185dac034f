/** What a model is told about `tree`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const TREE_TOOL_DEFINITION = {
  name: "tree",
  description: "Lists files and folders of the workspace as a tree, without what git ignores.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", default: ".", description: "Folder in workspace (default: workspace root)." },
      depth: {
        type: "integer",
        default: 3,
        description: "How many levels below the folder (default: 3).",
      },
      entries: { type: "integer", default: 200, description: "Most entries to list (default: 200)." },
      kind: {
        type: "string",
        enum: ["all", "directory"],
        default: "all",
        description: "Whether to list everything or only folders (default: all).",
      },
      hidden: {
        type: "boolean",
        default: false,
        description: "Whether to list names that begin with a dot (default: false).",
      },
      ignored: {
        type: "boolean",
        default: false,
        description: "Whether to list what .gitignore files name (default: false).",
      },
    },
    required: [],
  },
} as const satisfies ToolDefinition;
