/** Returns what a model is told about the git tools, by functions of the seed (seed 002 Key Functions). */
import type { ToolDefinition } from "../core/definition.ts";
import { frozen } from "../core/freeze.ts";
import { GIT_COMMAND_TOOL_DEFINITION } from "./git_command/definition.ts";
import { GIT_DIFF_TOOL_DEFINITION } from "./git_diff/contract.ts";
import { GIT_LOG_TOOL_DEFINITION } from "./git_log/contract.ts";
import { GIT_STATUS_SUMMARY_TOOL_DEFINITION } from "./git_status_summary/definition.ts";

const ALL: readonly ToolDefinition[] = frozen([
  GIT_COMMAND_TOOL_DEFINITION,
  GIT_STATUS_SUMMARY_TOOL_DEFINITION,
  GIT_DIFF_TOOL_DEFINITION,
  GIT_LOG_TOOL_DEFINITION,
]);

/** The definitions of all git tools, `git_command` first by `all/0` of seed 002; frozen. */
export function allGitTools(): readonly ToolDefinition[] {
  return ALL;
}

/** The definition of `git_command` by `git_command/0` of seed 002; frozen. */
export function gitCommand(): ToolDefinition {
  return GIT_COMMAND_TOOL_DEFINITION;
}
