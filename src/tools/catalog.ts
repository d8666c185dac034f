/** Lists every tool, by the name that an agent calls it; definitions, doors and docs are derived from it. */
import { execCommandTool } from "./exec/exec_command/tool.ts";
import { gitStatusSummaryTool } from "./git/git_status_summary/tool.ts";

/** In the order in which tools are listed. */
export const ToolCatalog = {
  exec_command: execCommandTool,
  git_status_summary: gitStatusSummaryTool,
} as const;

export type ToolName = keyof typeof ToolCatalog;
