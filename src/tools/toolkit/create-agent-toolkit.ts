/** Makes the tools of one workspace callable: each by a method of its own, all by name, and their definitions. */
import { ToolCatalog, type ToolName } from "../catalog.ts";
import { isAllowed, type ToolContext } from "../core/context.ts";
import type { ToolDefinition } from "../core/definition.ts";
import type { ToolResult } from "../core/result.ts";
import { createSecureTool, type SecureTool } from "../core/secure-tool.ts";
import type { CallOptions, Tool } from "../core/tool.ts";
import type { ExecCommandOptions, ExecCommandOutput } from "../exec/exec_command/types.ts";
import type { GitStatusSummaryOutput } from "../git/git_status_summary/types.ts";
import { invokeTool } from "./invoke.ts";

type InputOf<T> = T extends Tool<infer Input, infer _> ? Input : never;
type OutputOf<T> = T extends Tool<infer _, infer Output> ? Output : never;
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Tools that are called with their input object, by the camelCase form of their names. */
type ByObject = {
  readonly [Name in Exclude<ToolName, "exec_command" | "git_status_summary"> as CamelCase<Name>]: (
    input?: InputOf<(typeof ToolCatalog)[Name]>,
    options?: CallOptions,
  ) => Promise<ToolResult<OutputOf<(typeof ToolCatalog)[Name]>>>;
};

/** Tools whose seeds give them positional arguments. */
interface ByPosition {
  /** Seed 001 §8. `command` is an argv, `cwd` a folder in the workspace. */
  execCommand(
    cwd: string,
    command: readonly string[],
    options?: ExecCommandOptions,
  ): Promise<ToolResult<ExecCommandOutput>>;
  /** Seed 000. Without `cwd`, the workspace root. */
  gitStatusSummary(cwd?: string): Promise<ToolResult<GitStatusSummaryOutput>>;
}

export interface AgentToolkit extends ByObject, ByPosition {
  /** What an agent may call, in the order of the catalog. */
  readonly definitions: readonly ToolDefinition[];
  /** The JSON that an agent sends, as it came; never throws. */
  invoke(name: string, args?: unknown, options?: CallOptions): Promise<ToolResult<unknown>>;
  /** Ends what the tools left running, such as services. */
  close(): Promise<void>;
}

export function createAgentToolkit(context: ToolContext): AgentToolkit {
  const entries = Object.entries<Tool>(ToolCatalog);
  const methods = Object.fromEntries(
    entries.map(([name, tool]) => [camelCase(name), createSecureTool(tool, context)]),
  ) as unknown as ByObject;
  const allowed = entries.filter(([name]) => isAllowed(context, name));
  const secure = <Name extends ToolName>(name: Name) =>
    createSecureTool<object, unknown>(ToolCatalog[name], context) as SecureTool<
      OutputOf<(typeof ToolCatalog)[Name]>
    >;
  return {
    ...methods,
    execCommand: (cwd, command, options = {}) => secure("exec_command")({ ...options, cwd, command }),
    gitStatusSummary: (cwd) => secure("git_status_summary")(cwd === undefined ? {} : { cwd }),
    definitions: allowed.map(([, tool]) => tool.definition),
    invoke: (name, args, options) => invokeTool(context, name, args, options),
    close: () => context.shared.close(),
  };
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
