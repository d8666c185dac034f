/** Declares what a tool of `tazuna mcp --control` is: a verb of the API, for a person's own agent (ADR 0071). */
import type { Result } from "neverthrow";
import { z } from "zod";
import type { SteadyClient } from "../../contract/client/steady-client.ts";
import type { CreateTaskRequest } from "../../contract/endpoints/tasks.ts";
import type { ApiError } from "../../contract/problem.ts";

export type Engine = SteadyClient<ApiError>;

/** What every call works with. */
export interface ControlScope {
  readonly engine: Engine;
  /** Absolute: the folder whose repository is meant if none is named. */
  readonly folder: string;
  /** Settings that this process's environment names; those of a call win. */
  readonly settings: NonNullable<CreateTaskRequest["settings"]>;
  /** Aborts when the client cancels the call or goes. */
  readonly signal: AbortSignal;
  readonly onProgress: (message: string) => void;
}

export interface ControlTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  readonly readOnly: boolean;
  /** Whether it may take something away. */
  readonly destructive: boolean;
  /** Whether it may reach other machines: remotes, forges, models. */
  readonly openWorld: boolean;
  act(args: never, scope: ControlScope): Promise<Result<unknown, ApiError>>;
}

interface Declaration<Input extends z.ZodObject, Output extends z.ZodType>
  extends Omit<ControlTool, "input" | "output" | "act" | "readOnly" | "destructive" | "openWorld">,
    Partial<Pick<ControlTool, "readOnly" | "destructive" | "openWorld">> {
  readonly input: Input;
  readonly output: Output;
  act(args: z.output<Input>, scope: ControlScope): Promise<Result<z.input<Output>, ApiError>>;
}

export function controlTool<Input extends z.ZodObject, Output extends z.ZodType>(
  declared: Declaration<Input, Output>,
): ControlTool {
  return { readOnly: false, destructive: false, openWorld: false, ...declared };
}

const id = z.string().refine((value) => value.trim() !== "", "must not be blank");

/** Fields that name what a call is about; a unique beginning of an id will do, as on the command line. */
export const attemptField = id.describe(
  "The id of an attempt, or its beginning; of a run, its attempt is meant.",
);
export const taskField = id.describe("The id of a task, or its beginning.");
export const anyField = id.describe("The id of a task, an attempt or a run, or its beginning.");

/** For calls that create something. */
export const keyField = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, "must be 1 to 200 visible ASCII characters")
  .optional()
  .describe("Name one to send the call again safely: the same key and arguments create nothing more.");

/** A key as calls of the client take it. */
export function onceOf(key: string | undefined, once: { readonly key: string }): { readonly key: string } {
  return key === undefined ? once : { key };
}
