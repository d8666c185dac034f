/** What a model is told about `stop_service`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const STOP_SERVICE_TOOL_DEFINITION = {
  name: "stop_service",
  description: "Stops a service and every process that it started.",
  parameters: {
    type: "object",
    properties: {
      name: {
        type: "string",
        description: "Name of the service.",
      },
      grace_ms: {
        type: "integer",
        default: 2000,
        description: "Milliseconds between asking politely and force (default: 2000).",
      },
    },
    required: ["name"],
  },
} as const satisfies ToolDefinition;
