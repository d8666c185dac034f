/** Puts the checks in front of a tool, the same for all and in one order, so that no tool can forget one. */
import { checkArguments } from "./check-arguments.ts";
import { confinePaths } from "./confine-paths.ts";
import { isAllowed, type ToolContext } from "./context.ts";
import { ClosedError } from "./kept-things.ts";
import { deniedByPolicy, failure, type ToolResult } from "./result.ts";
import type { CallOptions, Tool } from "./tool.ts";

/** One call, from arguments that nobody has looked at yet. Never rejects. */
export type SecureTool<Output> = (args?: unknown, options?: CallOptions) => Promise<ToolResult<Output>>;

/**
 * Policy, write scope, arguments, real location of paths, existence of folders, then the tool (seed 001 §7, widened by
 * the product contract). The tool's own codes reach the caller as they are; what it throws is `INTERNAL`.
 */
export function createSecureTool<Input extends object, Output, Given>(
  tool: Tool<Input, Output, Given>,
  context: ToolContext,
): SecureTool<Output> {
  const { name } = tool.definition;
  return async (args, options = {}) => {
    if (!isAllowed(context, name))
      return deniedByPolicy("POLICY_DENIED", `${name} is not allowed by the policy of this workspace.`);
    if (context.writeScope === "read-only" && (tool.effect === "writes" || tool.effect === "executes"))
      return readOnly(name);
    if (context.shared.isClosed()) return closed(name);
    try {
      const input = checkArguments(tool.input, args);
      if (input.isErr()) return input.error;
      const paths = confinePaths(context.workspaceRoot, tool.paths, input.value);
      if (paths.isErr()) return paths.error;
      if (options?.signal?.aborted) return canceled(name);
      return await tool.run(input.value, { ...options, context, paths: paths.value });
    } catch (cause) {
      return cause instanceof ClosedError ? closed(name) : internalError(cause);
    }
  };
}

/** The answer of every tool that would change something where nothing may be changed. */
function readOnly(name: string): ReturnType<typeof deniedByPolicy> {
  return deniedByPolicy("READ_ONLY", `${name} could change the workspace, which is read-only here.`);
}

/** Nothing is begun any more: what it would leave running nobody would stop. */
function closed(name: string): ReturnType<typeof failure> {
  return failure("CLOSED", `${name} was called after its toolkit was closed.`);
}

/** The tool is not begun; whether it would have looked at the signal before its first act does not matter. */
function canceled(name: string): ReturnType<typeof failure> {
  return failure("CANCELED", `${name} was canceled before it began; nothing was done.`);
}

/** What nobody foresaw, as a value: the only place where a tool's surprises are caught. */
function internalError(cause: unknown): ReturnType<typeof failure> {
  return failure("INTERNAL", `Unexpected error: ${wordsOf(cause)}`, { retriable: true });
}

/** UTF-16 units: an error may quote all that it was about. */
const LONGEST_WORDS = 2_000;

/** Anything can be thrown, even what has no text. */
function wordsOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause).slice(0, LONGEST_WORDS);
  } catch {
    return `something without words (${typeof cause})`;
  }
}
