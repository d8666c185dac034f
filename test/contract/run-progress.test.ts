import { expect, test } from "bun:test";
import { movedOn } from "../../src/contract/words/run-progress.ts";
import { isEnded, RUN_STATES } from "../../src/domain/run/state.ts";

test("a fact moves a run forward, never back, and not into or out of a partly told state", () => {
  const told = (phase: string | null) => phase !== "waiting";
  for (const [known, run] of RUN_STATES.entries())
    for (const [place, news] of RUN_STATES.entries()) {
      const whole = [run, news].every(({ status, phase }) => told(phase) && !isEnded(status));
      expect(movedOn(run, news)).toEqual(whole && place > known ? news : run);
    }
  const [queued] = RUN_STATES;
  if (queued !== undefined)
    for (const nothing of [{}, { status: "DANCING" }, { status: "RUNNING" }])
      expect(movedOn(queued, nothing)).toEqual(queued);
});
