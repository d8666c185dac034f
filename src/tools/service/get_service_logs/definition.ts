/** What a model is told about `get_service_logs`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const GET_SERVICE_LOGS_TOOL_DEFINITION = {
  name: "get_service_logs",
  description: "Reads what a service printed: its last output, or what came after a cursor.",
  parameters: {
    type: "object",
    properties: {
      name: {
        type: "string",
        description: "Name of the service.",
      },
      stream: {
        type: "string",
        enum: ["both", "stdout", "stderr"],
        default: "both",
        description: "Which output to read (default: both, in the order in which it came).",
      },
      after: {
        type: "integer",
        description: "Cursor of an earlier answer, to read on from there; without it the end of the log.",
      },
      max_chars: {
        type: "integer",
        default: 20000,
        description: "Output char limit (default: 20000).",
      },
    },
    required: ["name"],
  },
} as const satisfies ToolDefinition;
