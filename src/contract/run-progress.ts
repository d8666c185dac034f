/** Orders the states that a run passes, so that news which come late or twice never set it back. */
import { isEnded, RUN_STATES, type RunState } from "../domain/run/state.ts";

/** The states that a fact tells whole: waiting and ended runs have more to them. */
const PASSED = RUN_STATES.filter(({ status, phase }) => phase !== "waiting" && !isEnded(status));

/** The run in the state that was told, so that none is passed over between two looks; an older one changes nothing. */
export function movedOn<Run extends RunState>(run: Run, told: Told): Run {
  const place = placeOf(told);
  const state = PASSED[place];
  const known = placeOf(run);
  return state === undefined || known < 0 || place <= known ? run : { ...run, ...state };
}

/** As a fact has it: anything may be there. */
interface Told {
  readonly status?: unknown;
  readonly phase?: unknown;
}

function placeOf(told: Told): number {
  return PASSED.findIndex(({ status, phase }) => status === told.status && phase === (told.phase ?? null));
}
