/** What a model is told about `git_log`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const GIT_LOG_TOOL_DEFINITION = {
  name: "git_log",
  description: "Returns commits, newest first, with hash, parents, author, dates, subject and body.",
  parameters: {
    type: "object",
    properties: {
      cwd: {
        type: "string",
        default: ".",
        description: "Workspace path to start from (default: workspace root).",
      },
      range: {
        type: "string",
        default: "HEAD",
        description: "Commit, branch or range (e.g. main, main..feature; default: HEAD).",
      },
      paths: {
        type: "array",
        items: { type: "string" },
        description: "Only commits that touch these files and folders, relative to cwd.",
      },
      limit: {
        type: "integer",
        default: 50,
        description: "Most commits, 1 to 1000 (default: 50).",
      },
      skip: {
        type: "integer",
        default: 0,
        description: "Commits to leave out first (default: 0).",
      },
      author: {
        type: "string",
        description: "Only commits whose author's name or mail matches this regular expression.",
      },
      grep: {
        type: "string",
        description: "Only commits whose message matches this regular expression.",
      },
      since: {
        type: "string",
        description: "Only commits after this date (e.g. 2026-01-31, 2 weeks ago).",
      },
      until: {
        type: "string",
        description: "Only commits before this date.",
      },
    },
    required: [],
  },
} as const satisfies ToolDefinition;
