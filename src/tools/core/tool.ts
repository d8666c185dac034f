/** Declares what a tool is: everything that its doors, its checks and its page in the docs are derived from. */
import type { z } from "zod";
import type { ToolContext } from "./context.ts";
import type { ToolDefinition } from "./definition.ts";
import type { ToolResult } from "./result.ts";

/** How one argument that names a place is judged, before the tool sees it. */
export interface PathRule {
  readonly argument: string;
  /** What must be there: a folder (else `NOT_DIRECTORY`), anything (else `NOT_FOUND`), or possibly nothing yet. */
  readonly must: "be-directory" | "exist" | "stay-inside";
  /** Absolute paths: accepted inside the workspace, or `INVALID_ARGUMENT`. */
  readonly absolute: "inside" | "refused";
}

/** What a door may hand along with a call. */
export interface CallOptions {
  /** Stops the call and every process that it started. */
  readonly signal?: AbortSignal;
  /** Told how far it is, from time to time; must not throw. */
  readonly onProgress?: (progress: ToolProgress) => void;
}

export interface ToolProgress {
  /** Grows with every call. */
  readonly progress: number;
  readonly message: string;
}

/** What a tool is handed beside its input. */
export interface ToolCall extends CallOptions {
  readonly context: ToolContext;
  /** Where each argument with a `PathRule` really lies: absolute, without symbolic links. An absent one is the workspace root. */
  readonly paths: Readonly<Record<string, string>>;
}

/** `Given` is what a caller writes; `Input` is what the schema makes of it, defaults filled in. */
export interface Tool<Input extends object = object, Output = unknown, Given = unknown> {
  readonly definition: ToolDefinition;
  /** A few words for lists of tools. */
  readonly title: string;
  /** Rejects unknown keys and wrong types; its messages say what is wanted. */
  readonly input: z.ZodType<Input, Given>;
  readonly output: z.ZodType<Output>;
  /** `executes` and `writes` are refused under `read-only`; a tool that `decides` refuses by itself, by its input. */
  readonly effect: "reads" | "writes" | "executes" | "decides";
  /** May it destroy what is there; is calling it twice the same as once; does it reach beyond this machine. */
  readonly hints: {
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
  readonly paths: readonly PathRule[];
  /** Each code of its own, with what it means; those of the checks before it are the same for all tools. */
  readonly codes: Readonly<Record<string, string>>;
  /** What a person should know: limits, and what it does not do. Sentences, for the docs. */
  readonly notes: readonly string[];
  run(input: Input, call: ToolCall): Promise<ToolResult<Output>>;
}

/** Lets TypeScript infer input and output from the schemas. */
export function defineTool<Input extends object, Output, Given>(
  tool: Tool<Input, Output, Given>,
): Tool<Input, Output, Given> {
  return tool;
}
