/** Orders the states of a run, so that late or repeated news never sets it back. */
import { isEnded, RUN_STATES, type RunState } from "../../domain/run/state.ts";

/** The states that a fact describes fully: waiting and ended runs have more details. */
const PASSED = RUN_STATES.filter(({ status, phase }) => phase !== "waiting" && !isEnded(status));

/** The run in the reported state, so that no state is missed between two looks. An older state changes nothing. */
export function movedOn<Run extends RunState>(run: Run, told: Told): Run {
  const place = placeOf(told);
  const state = PASSED[place];
  const known = placeOf(run);
  return state === undefined || known < 0 || place <= known ? run : { ...run, ...state };
}

/** As a fact has it: any value is possible. */
interface Told {
  readonly status?: unknown;
  readonly phase?: unknown;
}

function placeOf(told: Told): number {
  return PASSED.findIndex(({ status, phase }) => status === told.status && phase === (told.phase ?? null));
}
