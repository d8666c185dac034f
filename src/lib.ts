/** The library: safe tools for agents on one folder, without server, database or MCP (seed 000 §8, seed 001 §8). */
import "./tools/core/needs-node.ts";
import { ToolCatalog } from "./tools/catalog.ts";
import { contextOn, type ToolContext, type ToolContextOptions } from "./tools/core/context.ts";

export { checkGitCommand } from "./domain/git-policy/judge/check-git-command.ts";
export type { CheckGitOptions } from "./domain/git-policy/judge/check-options.ts";
export { isDestructive } from "./domain/git-policy/judge/is-destructive.ts";
export { judgeGitArgv } from "./domain/git-policy/judge/judge-git-argv.ts";
export {
  alwaysAllowedSubcommands,
  type DestructivePattern,
  destructivePatterns,
  isSubcommandAllowed,
  modifyingSubcommands,
} from "./domain/git-policy/verdicts/seed-lists.ts";
export type { GitRefusalCode, GitVerdict } from "./domain/git-policy/verdicts/verdict.ts";
export { TOOL_DEFINITIONS } from "./registry/definitions.ts";
export { ToolCatalog, type ToolName } from "./tools/catalog.ts";
export type {
  AskPerson,
  GitExtras,
  GitQuestion,
  GitTier,
  PersonAnswer,
  PersonQuestion,
  ToolContext,
  ToolContextOptions,
  ToolPolicy,
  WriteScope,
} from "./tools/core/context.ts";
export type { ArgumentDefinition, ToolDefinition } from "./tools/core/definition.ts";
export type { RefusalReason, ToolError, ToolRefusal, ToolResult, ToolSuccess } from "./tools/core/result.ts";
export { createSecureTool, type SecureTool } from "./tools/core/secure-tool.ts";
export { type CallOptions, defineTool, type PathRule, type Tool, type ToolCall } from "./tools/core/tool.ts";
export type { ApplyPatchInput, ApplyPatchOutput } from "./tools/edit/apply_patch/contract.ts";
export type { ReadFileInput, ReadFileOutput } from "./tools/edit/read_file/contract.ts";
export type { TreeInput, TreeOutput } from "./tools/edit/tree/contract.ts";
export type { WriteFileInput, WriteFileOutput } from "./tools/edit/write_file/contract.ts";
export type {
  ExecCommandInput,
  ExecCommandOptions,
  ExecCommandOutput,
} from "./tools/exec/exec_command/types.ts";
export { allGitTools, gitCommand } from "./tools/git/all-git-tools.ts";
export type { GitCommandInput, GitCommandOptions, GitCommandOutput } from "./tools/git/git_command/types.ts";
export type { GitDiffInput, GitDiffOutput } from "./tools/git/git_diff/contract.ts";
export type { GitLogInput, GitLogOutput } from "./tools/git/git_log/contract.ts";
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
export type { AskPersonInput, AskPersonOutput } from "./tools/person/ask_person/contract.ts";
export type { CodebaseSearchInput, CodebaseSearchOutput } from "./tools/search/codebase_search/contract.ts";
export type { GetServiceLogsInput, GetServiceLogsOutput } from "./tools/service/get_service_logs/contract.ts";
export type { ListServicesOutput } from "./tools/service/list_services/contract.ts";
export type { SpawnServiceInput, SpawnServiceOutput } from "./tools/service/spawn_service/contract.ts";
export type { StopServiceInput, StopServiceOutput } from "./tools/service/stop_service/contract.ts";
export { type AgentToolkit, createAgentToolkit } from "./tools/toolkit/create-agent-toolkit.ts";

/** A context on this machine. Commands inherit the environment that this process has at the time of the call. */
export function createToolContext(options: ToolContextOptions): ToolContext {
  const host = { platform: process.platform, environment: () => process.env };
  return contextOn(host, options, Object.keys(ToolCatalog));
}
