/** What a model is told about `git_diff`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const GIT_DIFF_TOOL_DEFINITION = {
  name: "git_diff",
  description:
    "Returns which files differ, by how many lines, and the patch: working tree against index, index against a commit, or two commits.",
  parameters: {
    type: "object",
    properties: {
      cwd: {
        type: "string",
        default: ".",
        description: "Workspace path to start from (default: workspace root).",
      },
      base: {
        type: "string",
        description:
          "Commit, branch or range to compare with (e.g. HEAD, main, main...feature); without it the index.",
      },
      head: {
        type: "string",
        description: "Commit or branch to compare base with; without it the working tree.",
      },
      staged: {
        type: "boolean",
        default: false,
        description: "Compare what is staged with base or HEAD (default: false).",
      },
      paths: {
        type: "array",
        items: { type: "string" },
        description: "Only these files and folders, relative to cwd.",
      },
      context_lines: {
        type: "integer",
        default: 3,
        description: "Unchanged lines around each change, 0 to 1000 (default: 3).",
      },
      stat_only: {
        type: "boolean",
        default: false,
        description: "Leave the patch out (default: false).",
      },
      max_chars: {
        type: "integer",
        default: 100000,
        description: "Most characters of the patch, 1000 to 1000000 (default: 100000).",
      },
    },
    required: [],
  },
} as const satisfies ToolDefinition;
