/** Makes the tools of one workspace callable: each by its own method, all by name, with their definitions. */
import { ToolCatalog, type ToolName } from "../catalog.ts";
import type { ToolContext } from "../core/context.ts";
import type { ToolDefinition } from "../core/definition.ts";
import { failure, type ToolResult } from "../core/result.ts";
import { createSecureTool, type SecureTool } from "../core/secure-tool.ts";
import { type CallOptions, isOffered, type Tool } from "../core/tool.ts";
import type { ExecCommandOptions, ExecCommandOutput } from "../exec/exec_command/types.ts";
import type { GitCommandOptions, GitCommandOutput } from "../git/git_command/types.ts";
import type { GitStatusSummaryOutput } from "../git/git_status_summary/types.ts";

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
  /** Seed 002. Options are `allow_destructive` and `cwd`. */
  gitCommand(
    subcommand: string,
    args?: readonly string[],
    options?: GitCommandOptions,
  ): Promise<ToolResult<GitCommandOutput>>;
}

/** All other tools: called with their input object, by the camelCase form of their names. */
type ByObject = Omit<
  { readonly [Name in ToolName as CamelCase<Name>]: Method<(typeof ToolCatalog)[Name]> },
  keyof ByPosition
>;

export interface AgentToolkit extends ByObject, ByPosition {
  /** The tools that an agent may call, in the order of the catalog; frozen, with everything in it. */
  readonly definitions: readonly ToolDefinition[];
  /** `args` is the JSON that an agent sends, unchecked. Never throws. */
  invoke(name: string, args?: unknown, options?: CallOptions): Promise<ToolResult<unknown>>;
  /** Ends what the tools left running, such as services. Every later call is `CLOSED`. */
  close(): Promise<void>;
}

export function createAgentToolkit(context: ToolContext): AgentToolkit {
  const tools = secureTools(context);
  return {
    ...methodsOf(tools),
    execCommand: (cwd, command, options) => tools.exec_command({ ...options, cwd, command }),
    gitStatusSummary: (cwd) => tools.git_status_summary(cwd === undefined ? {} : { cwd }),
    gitCommand: (subcommand, args = [], options = {}) => tools.git_command({ ...options, subcommand, args }),
    definitions: Object.freeze(
      Object.values<Tool>(ToolCatalog)
        .filter((tool) => isOffered(tool, context))
        .map(({ definition }) => definition),
    ),
    invoke: (name, args, options) => invokeTool(context, name, args, options),
    close: () => context.shared.close(),
  };
}

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The input may be omitted if it has no required property. */
type Method<T> =
  T extends Tool<infer _, infer Output, infer Given>
    ? (
        ...call: Record<never, never> extends Given
          ? [input?: Given, options?: CallOptions]
          : [input: Given, options?: CallOptions]
      ) => Promise<ToolResult<Output>>
    : never;

type SecureTools = {
  readonly [Name in ToolName]: (typeof ToolCatalog)[Name] extends Tool<infer _, infer Output>
    ? SecureTool<Output>
    : never;
};

/** `Object.fromEntries` loses which name has which type. The cast restores it from the catalog. */
function secureTools(context: ToolContext): SecureTools {
  const entries = Object.entries<Tool>(ToolCatalog);
  return Object.fromEntries(
    entries.map(([name, tool]) => [name, createSecureTool(tool, context)]),
  ) as SecureTools;
}

function methodsOf(tools: SecureTools): ByObject {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [camelCase(name), tool])) as ByObject;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const TOOLS: ReadonlyMap<string, Tool> = new Map(Object.entries<Tool>(ToolCatalog));

/** Never throws and never rejects; an unknown name is `TOOL_NOT_FOUND`. */
async function invokeTool(
  context: ToolContext,
  name: string,
  args?: unknown,
  options?: CallOptions,
): Promise<ToolResult<unknown>> {
  const tool = TOOLS.get(name);
  if (tool !== undefined) return createSecureTool(tool, context)(args, options);
  const known = [...TOOLS.keys()];
  return failure("TOOL_NOT_FOUND", `There is no tool ${quoted(name)}; there are ${known.join(", ")}.`, {
    details: { known },
  });
}

/** Names come from outside, so they may have any type. */
function quoted(name: unknown): string {
  return typeof name === "string" ? JSON.stringify(name.slice(0, 100)) : `of that type (${typeof name})`;
}
