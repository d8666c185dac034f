/** Declares the envelope in which every tool answers, in the library, MCP and CLI. */

/** Callers may rely on `code`, which is stable. `message` is for people. */
export interface ToolError {
  readonly code: string;
  /** One or two sentences that name the argument, the cause, or what to do instead. */
  readonly message: string;
  /** Whether the same call may succeed later. */
  readonly retriable: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface ToolSuccess<Data> {
  readonly status: "success";
  readonly data: Data;
  /** Facts about how it was done, such as how many stray processes were stopped. `data` can be read without them. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What refused: the owner's policy, the limit of the workspace, or the tool itself. */
export type RefusalReason = "policy" | "sandbox" | "runtime";

/** `denied`: nothing was tried. `failure`: the arguments were wrong, or the work failed. */
export interface ToolRefusal {
  readonly status: "denied" | "failure";
  readonly reason: RefusalReason;
  readonly message: string;
  readonly error: ToolError;
}

export type ToolResult<Data> = ToolSuccess<Data> | ToolRefusal;

interface Extras {
  readonly retriable?: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function success<Data>(data: Data, meta: Readonly<Record<string, unknown>> = {}): ToolSuccess<Data> {
  return Object.keys(meta).length === 0 ? { status: "success", data } : { status: "success", data, meta };
}

/** Refused by the policy of the workspace's owner. */
export function deniedByPolicy(code: string, message: string, extras: Extras = {}): ToolRefusal {
  return refusal({ status: "denied", reason: "policy" }, code, message, extras);
}

/** Refused because the call would leave the workspace. */
export function deniedBySandbox(code: string, message: string, extras: Extras = {}): ToolRefusal {
  return refusal({ status: "denied", reason: "sandbox" }, code, message, extras);
}

/** The arguments were wrong, or the work failed. */
export function failure(code: string, message: string, extras: Extras = {}): ToolRefusal {
  return refusal({ status: "failure", reason: "runtime" }, code, message, extras);
}

function refusal(
  kind: Pick<ToolRefusal, "status" | "reason">,
  code: string,
  message: string,
  { retriable = false, details = {} }: Extras,
): ToolRefusal {
  return { ...kind, message, error: { code, message, retriable, details } };
}
