/** Describes what one step of a run came to: the event that moves the run, and what is stored with it. */
import type { AgentFailure } from "../../domain/agent/events.ts";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import { type Failure, type FailureCode, failure } from "../../domain/run/failure.ts";
import type { Run, RunNote } from "../../domain/run/run.ts";
import type { RunEvent } from "../../domain/run/state.ts";
import type { Task } from "../../domain/task/task.ts";
import type { AttemptChange } from "../../storage/attempts.ts";
import type { RunChange } from "../../storage/run-row.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";

/** Everything a step needs to know about the run it works on, read from storage just before. */
export interface RunWorld {
  readonly run: Run;
  readonly attempt: Attempt;
  readonly task: Task;
  readonly repository: Repository;
  readonly configuration: LoadedConfiguration;
  /** Why the configuration cannot be used; null where it can. */
  readonly configurationFault: string | null;
  /** The runs of the attempt that came before this one, oldest first. */
  readonly earlier: readonly Run[];
  /** This driver has just taken the run over: an earlier one may have died in the middle of this very step. */
  readonly resumed: boolean;
  /** Fences every write of this driver. */
  readonly epoch: number;
  /** Aborts when a person asks to stop or cancel the run. */
  readonly signal: AbortSignal;
}

export interface Step {
  readonly event: RunEvent;
  readonly run?: RunChange;
  readonly attempt?: AttemptChange;
  /** Appended to the run's notes. */
  readonly notes?: readonly RunNote[];
  readonly failure?: Failure;
}

/** The step that ends a run with a failure. */
export function failed(
  code: FailureCode,
  message: string,
  more: Omit<Step, "event" | "failure"> & { readonly details?: Readonly<Record<string, unknown>> } = {},
): Step {
  const { details, ...rest } = more;
  return {
    event: "fail",
    failure: failure(code, message, details === undefined ? {} : { details }),
    ...rest,
  };
}

/** The step that ends a run because its agent failed. */
export function agentFailed(of: AgentFailure, more: Omit<Step, "event" | "failure"> = {}): Step {
  return failed(of.code, of.message, {
    ...more,
    details: { transient: of.transient, ...(of.resumeAt === null ? {} : { resume_at: of.resumeAt }) },
  });
}

/** One thing that a person should know although it did not fail the run. */
export function note(
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): RunNote {
  return { code, message, details };
}
