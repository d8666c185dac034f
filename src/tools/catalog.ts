/** Lists every tool by the name that an agent calls. Definitions, library, MCP, CLI and docs are derived from it. */
import { applyPatchTool } from "./edit/apply_patch/tool.ts";
import { readFileTool } from "./edit/read_file/tool.ts";
import { treeTool } from "./edit/tree/tool.ts";
import { writeFileTool } from "./edit/write_file/tool.ts";
import { createExecCommandTool } from "./exec/exec_command/tool.ts";
import { gitCommandTool } from "./git/git_command/tool.ts";
import { gitDiffTool } from "./git/git_diff/tool.ts";
import { gitLogTool } from "./git/git_log/tool.ts";
import { gitStatusSummaryTool } from "./git/git_status_summary/tool.ts";
import { guardExec } from "./git/judge/guard-exec.ts";
import { defineIssueTool } from "./issue/define_issue/tool.ts";
import { getCurrentStatusTool } from "./issue/get_current_status/tool.ts";
import { askPersonTool } from "./person/ask_person/tool.ts";
import { codebaseSearchTool } from "./search/codebase_search/tool.ts";
import { getServiceLogsTool } from "./service/get_service_logs/tool.ts";
import { listServicesTool } from "./service/list_services/tool.ts";
import { spawnServiceTool } from "./service/spawn_service/tool.ts";
import { stopServiceTool } from "./service/stop_service/tool.ts";

/** In the order in which tools are listed. Frozen, with every tool's declaration. */
export const ToolCatalog = Object.freeze({
  exec_command: createExecCommandTool(guardExec),
  git_status_summary: gitStatusSummaryTool,
  git_command: gitCommandTool,
  git_diff: gitDiffTool,
  git_log: gitLogTool,
  define_issue: defineIssueTool,
  get_current_status: getCurrentStatusTool,
  read_file: readFileTool,
  write_file: writeFileTool,
  apply_patch: applyPatchTool,
  tree: treeTool,
  codebase_search: codebaseSearchTool,
  spawn_service: spawnServiceTool,
  list_services: listServicesTool,
  get_service_logs: getServiceLogsTool,
  stop_service: stopServiceTool,
  ask_person: askPersonTool,
} as const);

export type ToolName = keyof typeof ToolCatalog;
