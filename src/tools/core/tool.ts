/** Declares what a tool is. Library, MCP, CLI, checks and docs are derived from this. */
import type { z } from "zod";
import { isAllowed, type ToolContext } from "./context.ts";
import type { ToolDefinition } from "./definition.ts";
import { frozen } from "./freeze.ts";
import type { ToolResult } from "./result.ts";

/** How an argument that names a place is judged before the tool sees it. */
export interface PathRule {
  readonly argument: string;
  /** What must exist: a folder (else `NOT_DIRECTORY`), anything (else `NOT_FOUND`), or possibly nothing yet. */
  readonly must: "be-directory" | "exist" | "stay-inside";
  /** Whether absolute paths inside the workspace are accepted. If not, the answer is `INVALID_ARGUMENT`. */
  readonly absolute: "inside" | "refused";
}

/** What library, MCP and CLI may pass along with a call. */
export interface CallOptions {
  /** Stops the call and every process that it started. */
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time with the progress; must not throw. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
}

export interface ToolProgress {
  /** Grows with every call. */
  readonly progress: number;
  readonly message: string;
}

/** What a tool is given beside its input. */
export interface ToolCall extends CallOptions {
  readonly context: ToolContext;
  /**
   * The real path of each argument with a `PathRule`: absolute, without symbolic links. The path of an absent argument
   * is the workspace root.
   */
  readonly paths: Readonly<Record<string, string>>;
}

/** `Given` is what a caller writes. `Input` is the schema's result, with defaults filled in. */
export interface Tool<Input extends object = object, Output = unknown, Given = unknown> {
  readonly definition: ToolDefinition;
  /** A few words for lists of tools. */
  readonly title: string;
  /** Rejects unknown keys and wrong types. Its messages say what is expected. */
  readonly input: z.ZodType<Input, Given>;
  readonly output: z.ZodType<Output>;
  /** `executes` and `writes` are refused under `read-only`. A tool that `decides` judges its own input and refuses. */
  readonly effect: "reads" | "writes" | "executes" | "decides";
  /** Whether a call may destroy things, has the same result when repeated, and reaches beyond this machine. */
  readonly hints: {
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
  /** What the context must offer, else the tool is not listed. Absent if the workspace is enough. */
  readonly needs?: "person";
  readonly paths: readonly PathRule[];
  /** The tool's own codes and their meanings. The codes of the checks before it are the same for all tools. */
  readonly codes: Readonly<Record<string, string>>;
  /** Sentences for the docs: limits, and what the tool does not do. */
  readonly notes: readonly string[];
  run(input: Input, call: ToolCall): Promise<ToolResult<Output>>;
}

/** Lets TypeScript infer input and output from the schemas, and freezes the declaration. */
export function defineTool<Input extends object, Output, Given>(
  tool: Tool<Input, Output, Given>,
): Tool<Input, Output, Given> {
  const { definition, hints, paths, codes, notes } = tool;
  for (const part of [definition, hints, paths, codes, notes]) frozen(part);
  return Object.freeze(tool);
}

/** Whether an agent is told of the tool: the policy allows it, and the context has what it needs. */
export function isOffered(tool: Pick<Tool, "definition" | "needs">, context: ToolContext): boolean {
  return isAllowed(context, tool.definition.name) && (tool.needs !== "person" || context.askPerson !== null);
}
