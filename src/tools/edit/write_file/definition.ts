/** What a model is told about `write_file`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const WRITE_FILE_TOOL_DEFINITION = {
  name: "write_file",
  description: "Writes a text file in the workspace, whole or not at all; missing folders are made.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "File path in workspace." },
      content: { type: "string", description: "The whole new content, stored as UTF-8." },
      mode: {
        type: "string",
        enum: ["write", "create", "replace"],
        default: "write",
        description:
          "create fails where the file exists, replace fails where it does not, write does either (default: write).",
      },
    },
    required: ["path", "content"],
  },
} as const satisfies ToolDefinition;
