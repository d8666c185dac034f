/** The library: safe tools for agents on one folder, without a server, a database or MCP (product contract, section 5). */
import { contextOn, type ToolContext, type ToolContextOptions } from "./tools/core/context.ts";

export { type CheckGitOptions, checkGitCommand } from "./domain/git-policy/check-git-command.ts";
export { isDestructive } from "./domain/git-policy/is-destructive.ts";
export { judgeGitArgv } from "./domain/git-policy/judge-git-argv.ts";
export {
  alwaysAllowedSubcommands,
  type DestructivePattern,
  destructivePatterns,
  isSubcommandAllowed,
  modifyingSubcommands,
} from "./domain/git-policy/seed-lists.ts";
export type { GitRefusalCode, GitVerdict } from "./domain/git-policy/verdict.ts";
export { TOOL_DEFINITIONS } from "./registry/definitions.ts";
export { ToolCatalog, type ToolName } from "./tools/catalog.ts";
export type {
  GitExtras,
  GitQuestion,
  GitTier,
  ToolContext,
  ToolContextOptions,
  ToolPolicy,
  WriteScope,
} from "./tools/core/context.ts";
export type { ArgumentDefinition, ToolDefinition } from "./tools/core/definition.ts";
export type { RefusalReason, ToolError, ToolRefusal, ToolResult, ToolSuccess } from "./tools/core/result.ts";
export { createSecureTool, type SecureTool } from "./tools/core/secure-tool.ts";
export { type CallOptions, defineTool, type PathRule, type Tool, type ToolCall } from "./tools/core/tool.ts";
export type { ApplyPatchInput, ApplyPatchOutput } from "./tools/edit/apply_patch/types.ts";
export type { ReadFileInput, ReadFileOutput } from "./tools/edit/read_file/types.ts";
export type { TreeInput, TreeOutput } from "./tools/edit/tree/types.ts";
export type { WriteFileInput, WriteFileOutput } from "./tools/edit/write_file/types.ts";
export type {
  ExecCommandInput,
  ExecCommandOptions,
  ExecCommandOutput,
} from "./tools/exec/exec_command/types.ts";
export { allGitTools, gitCommand } from "./tools/git/all-git-tools.ts";
export type { GitCommandInput, GitCommandOptions, GitCommandOutput } from "./tools/git/git_command/types.ts";
export type { GitDiffInput, GitDiffOutput } from "./tools/git/git_diff/types.ts";
export type { GitLogInput, GitLogOutput } from "./tools/git/git_log/types.ts";
export type {
  GitStatusSummaryErrorCode,
  GitStatusSummaryInput,
  GitStatusSummaryOutput,
} from "./tools/git/git_status_summary/types.ts";
export type { DefineIssueInput, DefineIssueOutput } from "./tools/issue/define_issue/types.ts";
export type {
  GetCurrentStatusParams,
  GetCurrentStatusResponse,
} from "./tools/issue/get_current_status/types.ts";
export type { CodebaseSearchInput, CodebaseSearchOutput } from "./tools/search/codebase_search/types.ts";
export type { GetServiceLogsInput, GetServiceLogsOutput } from "./tools/service/get_service_logs/types.ts";
export type { ListServicesOutput } from "./tools/service/list_services/types.ts";
export type { SpawnServiceInput, SpawnServiceOutput } from "./tools/service/spawn_service/types.ts";
export type { StopServiceInput, StopServiceOutput } from "./tools/service/stop_service/types.ts";
export { type AgentToolkit, createAgentToolkit } from "./tools/toolkit/create-agent-toolkit.ts";

/** A context on this machine: commands inherit the environment of this process as it is at the time of the call. */
export function createToolContext(options: ToolContextOptions): ToolContext {
  return contextOn({ platform: process.platform, environment: () => process.env }, options);
}
