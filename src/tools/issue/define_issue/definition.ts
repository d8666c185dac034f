/** What a model is told about `define_issue`; seed 004 names the tool and its three texts, but not their words. */
import type { ToolDefinition } from "../../core/definition.ts";

export const DEFINE_ISSUE_TOOL_DEFINITION = {
  name: "define_issue",
  description:
    "Defines the issue to be solved in this workspace, with its background and constraints. Defining again replaces it; earlier ones are kept as history.",
  parameters: {
    type: "object",
    properties: {
      issue: {
        type: "string",
        description: "Title of the issue: what is to be solved (at most 200 characters).",
      },
      context: {
        type: "string",
        description: "Background: what one has to know to solve it (at most 4000 characters).",
      },
      constraints: {
        type: "string",
        description: "Constraints that a solution has to keep to (at most 4000 characters).",
      },
    },
    required: ["issue", "context", "constraints"],
  },
} as const satisfies ToolDefinition;
