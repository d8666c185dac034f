/** Orders the states of a run, so that late or repeated news never sets it back. */
import { isEnded, RUN_STATES, type RunState } from "../../domain/run/state.ts";

/** The states that a fact describes fully: waiting and ended runs have more details. */
const ORDERED_STATES = RUN_STATES.filter(({ status, phase }) => phase !== "waiting" && !isEnded(status));

/** The run in the reported state, so that no state is missed between two looks. An older state changes nothing. */
export function movedOn<Run extends RunState>(run: Run, reported: ReportedState): Run {
  const position = positionOf(reported);
  const state = ORDERED_STATES[position];
  const known = positionOf(run);
  return state === undefined || known < 0 || position <= known ? run : { ...run, ...state };
}

/** As a fact has it: any value is possible. */
interface ReportedState {
  readonly status?: unknown;
  readonly phase?: unknown;
}

function positionOf(reported: ReportedState): number {
  return ORDERED_STATES.findIndex(
    ({ status, phase }) => status === reported.status && phase === (reported.phase ?? null),
  );
}
