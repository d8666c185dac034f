/** What a model is told about `git_command` (seed 002 Tool Schema), with a `cwd` beside the seed's three arguments. */
import type { ToolDefinition } from "../../core/definition.ts";

export const GIT_COMMAND_TOOL_DEFINITION = {
  name: "git_command",
  description:
    "Execute git command in the project directory. Subcommands that read always run, those that change something may need confirmation, and destructive ones need allow_destructive. Answers output, stderr and exit code, and structured data for status, diff, log, branch, blame and stash list.",
  parameters: {
    type: "object",
    properties: {
      subcommand: {
        type: "string",
        description: "Git subcommand to run (e.g. status, log, add); no options in front of it.",
      },
      args: {
        type: "array",
        items: { type: "string" },
        description:
          'Arguments of the subcommand, one each (e.g. ["-5", "--oneline"]); options by their full names.',
      },
      allow_destructive: {
        type: "boolean",
        default: false,
        description: "Allows what destroys work, such as push --force or reset --hard (default: false).",
      },
      cwd: {
        type: "string",
        default: ".",
        description: "Working directory path in workspace (default: workspace root).",
      },
    },
    required: ["subcommand"],
  },
} as const satisfies ToolDefinition;
