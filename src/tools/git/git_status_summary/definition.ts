/** What a model is told about `git_status_summary`, in the exact words of its seed (seed 000 §4.4). */
import type { ToolDefinition } from "../../core/definition.ts";

export const GIT_STATUS_SUMMARY_TOOL_DEFINITION = {
  name: "git_status_summary",
  description: "Returns current git branch and raw porcelain status output for a workspace directory.",
  parameters: {
    type: "object",
    properties: {
      cwd: {
        type: "string",
        default: ".",
        description:
          "Workspace path to inspect (default: workspace root). Accepts / or \\\\ as separator; escape backslash in JSON (e.g. src\\\\tools).",
      },
    },
    required: [],
  },
} as const satisfies ToolDefinition;
