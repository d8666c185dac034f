/** What a model is told about `list_services`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const LIST_SERVICES_TOOL_DEFINITION = {
  name: "list_services",
  description: "Lists the services that spawn_service started, with their state, port and exit code.",
  parameters: { type: "object", properties: {}, required: [] },
} as const satisfies ToolDefinition;
