/** Describes the result of one step of a run: the event that moves it, and what is stored with it. */
import { type Err, ok, safeTry } from "neverthrow";
import type { AgentFailure } from "../../domain/agent/events.ts";
import type { Comment } from "../../domain/comment/comment.ts";
import type { ConfigurationError } from "../../domain/configuration/layers.ts";
import { type Failure, type FailureCode, type FailureOptions, failure } from "../../domain/run/failure.ts";
import type { Run, RunNote } from "../../domain/run/run.ts";
import type { RunEvent } from "../../domain/run/state.ts";
import type { AttemptChange } from "../../storage/tables/attempts.ts";
import type { RunChange } from "../../storage/tables/run-moves.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { AttemptPlace } from "../core/find-place.ts";

/** Everything that a step needs to know about its run, read from storage just before. */
export interface RunWorld extends AttemptPlace {
  readonly run: Run;
  readonly configuration: LoadedConfiguration;
  /** Why the configuration cannot be used; null if it can. */
  readonly configurationFault: ConfigurationError | null;
  /** The work on the attempt that came before this run, oldest first; none for a review. */
  readonly earlier: readonly Run[];
  /** This driver has just taken the run over. An earlier one may have died in the middle of this very step. */
  readonly resumed: boolean;
  /** Protects the run from writes of an earlier driver. */
  readonly epoch: number;
  /** Aborts when a person asks to stop or cancel the run. */
  readonly signal: AbortSignal;
}

export interface Step {
  readonly event: RunEvent;
  readonly run?: RunChange;
  readonly attempt?: AttemptChange;
  /** What a reviewer said; stored with the move. */
  readonly comments?: readonly Comment[];
  /** Appended to the run's notes. */
  readonly notes?: readonly RunNote[];
  readonly failure?: Failure;
  /** The tree that a turn left without staging it. Else the run's own tree or commit says what the step leaves. */
  readonly left?: string;
}

/** Runs the parts of a step. The first part that fails ends it, with the step that the part failed with. */
export async function stepOf(parts: () => AsyncGenerator<Err<never, Step>, Step>): Promise<Step> {
  const step = await safeTry(async function* () {
    return ok(yield* parts());
  });
  return step.isOk() ? step.value : step.error;
}

/** The step that ends a run with a failure. */
export function failed(
  code: FailureCode,
  message: string,
  more: Omit<Step, "event" | "failure"> & FailureOptions = {},
): Step {
  const { details, remedy, ...rest } = more;
  return { event: "fail", failure: failure(code, message, { details, remedy }), ...rest };
}

/** What was left of the agent is stopped by then. */
export function keeperKilled(): Step {
  return failed(
    "interrupted",
    "The agent's keeper was killed; what was left of the agent was stopped, its edits are kept.",
  );
}

/** The step that ends a run because its agent failed. */
export function agentFailed(agentFailure: AgentFailure, more: Omit<Step, "event" | "failure"> = {}): Step {
  return failed(agentFailure.code, agentFailure.message, {
    ...more,
    details: {
      transient: agentFailure.transient,
      ...(agentFailure.resumeAt === null ? {} : { resume_at: agentFailure.resumeAt }),
    },
  });
}

/** The step with further notes after its own. */
export function withNotes(step: Step, notes: readonly RunNote[]): Step {
  return notes.length === 0 ? step : { ...step, notes: [...(step.notes ?? []), ...notes] };
}

/** One fact for a person that did not fail the run. */
export function note(
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): RunNote {
  return { code, message, details };
}
