/** What a model is told about `read_file`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const READ_FILE_TOOL_DEFINITION = {
  name: "read_file",
  description: "Reads a text file of the workspace, whole lines from a given line on.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "File path in workspace." },
      start_line: {
        type: "integer",
        default: 1,
        description: "First line to read, counted from 1 (default: 1).",
      },
      max_lines: { type: "integer", default: 500, description: "Most lines to read (default: 500)." },
      max_chars: {
        type: "integer",
        default: 50000,
        description: "Most characters to read (default: 50000).",
      },
    },
    required: ["path"],
  },
} as const satisfies ToolDefinition;
