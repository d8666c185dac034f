/** What a model is told about `get_current_status`; seed 004 gives it no arguments, and does not fix the words. */
import type { ToolDefinition } from "../../core/definition.ts";

export const GET_CURRENT_STATUS_TOOL_DEFINITION = {
  name: "get_current_status",
  description:
    "Returns the issue that is currently defined in this workspace, with its background, constraints and creation time; hasIssue is false when none is defined.",
  parameters: { type: "object", properties: {}, required: [] },
} as const satisfies ToolDefinition;
