/** Puts the same checks in the same order in front of every tool, so that no tool can forget one. */
import { ownOptions } from "../../utils/values/own-properties.ts";
import { checkArguments } from "./check-arguments.ts";
import { confinePaths } from "./confine-paths.ts";
import { isAllowed, type ToolContext } from "./context.ts";
import { ClosedError } from "./kept-things.ts";
import { deniedByPolicy, failure, type ToolResult } from "./result.ts";
import type { CallOptions, Tool } from "./tool.ts";

/** One call, from unchecked arguments. Never rejects. */
export type SecureTool<Output> = (args?: unknown, options?: CallOptions) => Promise<ToolResult<Output>>;

/**
 * The order: policy, write scope, arguments, real paths, existence of folders, then the tool. The order is that of
 * seed 001 §7, with the write scope added (ADR 0014). The tool's own codes reach the caller unchanged. An exception of the
 * tool is `INTERNAL`.
 */
export function createSecureTool<Input extends object, Output, Given>(
  tool: Tool<Input, Output, Given>,
  context: ToolContext,
): SecureTool<Output> {
  const { name } = tool.definition;
  return async (args, given) => {
    if (!isAllowed(context, name))
      return deniedByPolicy("POLICY_DENIED", `${name} is not allowed by the policy of this workspace.`);
    if (context.writeScope === "read-only" && (tool.effect === "writes" || tool.effect === "executes"))
      return readOnly(name);
    if (context.shared.isClosed()) return closed(name);
    try {
      const { signal, onProgress } = ownOptions(given ?? {});
      const input = checkArguments(tool.input, args);
      if (input.isErr()) return input.error;
      const paths = confinePaths(context.workspaceRoot, tool.paths, input.value);
      if (paths.isErr()) return paths.error;
      if (signal?.aborted) return canceled(name);
      return await tool.run(input.value, { signal, onProgress, context, paths: paths.value });
    } catch (cause) {
      return cause instanceof ClosedError ? closed(name) : internalError(cause);
    }
  };
}

/** The answer of every tool that would change something if nothing may be changed. */
function readOnly(name: string): ReturnType<typeof deniedByPolicy> {
  return deniedByPolicy("READ_ONLY", `${name} could change the workspace, which is read-only here.`);
}

/** Nothing starts any more, because nothing would stop what it leaves running. */
function closed(name: string): ReturnType<typeof failure> {
  return failure("CLOSED", `${name} was called after its toolkit was closed.`);
}

/** The tool does not start, even if it would have checked the signal before its first act. */
function canceled(name: string): ReturnType<typeof failure> {
  return failure("CANCELED", `${name} was canceled before it began; nothing was done.`);
}

/** Turns an unforeseen exception into a value. Only here are a tool's exceptions caught. */
function internalError(cause: unknown): ReturnType<typeof failure> {
  return failure("INTERNAL", `Unexpected error: ${wordsOf(cause)}`, { retriable: true });
}

/** UTF-16 units. An error may quote its whole input. */
const MAX_REASON_LENGTH = 2_000;

/** Any value can be thrown, even one without a text. */
function wordsOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause).slice(0, MAX_REASON_LENGTH);
  } catch {
    return `something without words (${typeof cause})`;
  }
}
