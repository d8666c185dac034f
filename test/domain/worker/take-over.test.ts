/** Holds when a worker takes over a run whose own worker is lost (ADR 0096). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { RUN_STATES } from "../../../src/domain/run/state.ts";
import {
  type CopyOfAttempt,
  decideTakeOver,
  type LostRun,
  mayClone,
  type Taker,
} from "../../../src/domain/worker/take-over.ts";

const able: Taker = {
  isFree: true,
  hasClone: true,
  mayClone: false,
  hasAgent: true,
  hasLabels: true,
  isOccupied: false,
};
const run: LostRun = {
  ...{ kind: "agent", status: "RUNNING", phase: "agent" },
  ...{ commit: null, stopRequest: null, options: {} },
};
const copy: CopyOfAttempt = { sha: "a", isBehind: false };
const moved = { worker: "w", name: "mac-7", copy: null, upTo: null };

const anyRun = fc.record({
  kind: fc.constantFrom("agent", "commit", "publish", "review"),
  state: fc.constantFrom(...RUN_STATES),
  commit: fc.constantFrom(null, "a", "b"),
  stopRequest: fc.constantFrom(null, "stop", "cancel"),
  options: fc.constantFrom({}, { moved }),
});
const anyTaker = fc.record({
  isFree: fc.boolean(),
  hasClone: fc.boolean(),
  mayClone: fc.boolean(),
  hasAgent: fc.boolean(),
  hasLabels: fc.boolean(),
  isOccupied: fc.boolean(),
});
const anyCopy = fc.record({ sha: fc.constantFrom(null, "a"), isBehind: fc.boolean() });

describe("a run whose worker is lost", () => {
  test("is prepared anew by one that has all that it needs", () => {
    expect(decideTakeOver(run, copy, able)).toBe("rebuild");
    expect(decideTakeOver(run, { ...copy, sha: null }, able)).toBe("rebuild");
  });

  test("goes to one without a clone at once if nobody has one, and else after a while", () => {
    expect(decideTakeOver(run, copy, { ...able, hasClone: false })).toBe("leave");
    expect(decideTakeOver(run, copy, { ...able, hasClone: false, mayClone: true })).toBe("rebuild");
    const lost = { hasAddress: true, isClonedElsewhere: true, lostMs: 99 };
    expect(mayClone(lost, 100)).toBe(false);
    expect(mayClone({ ...lost, lostMs: 100 }, 100)).toBe(true);
    expect(mayClone({ ...lost, isClonedElsewhere: false, lostMs: 0 }, 100)).toBe(true);
    expect(mayClone({ ...lost, hasAddress: false, lostMs: 100 }, 100)).toBe(false);
  });

  test("is only pushed if its commit is in the depot, also without its agent", () => {
    const pushing = { ...run, status: "PUSHING", phase: null, commit: "a" } as const;
    expect(decideTakeOver(pushing, copy, { ...able, hasAgent: false })).toBe("publish");
    expect(decideTakeOver({ ...pushing, commit: "b" }, copy, able)).toBe("rebuild");
  });

  test("ends if it was lost before, whoever looks", () => {
    const nobody = {
      isFree: false,
      hasClone: false,
      mayClone: false,
      hasAgent: false,
      hasLabels: false,
      isOccupied: true,
    };
    expect(decideTakeOver({ ...run, options: { moved } }, copy, nobody)).toBe("interrupt");
  });

  test("is never taken by one that lacks a slot, the clone, or the place, nor while edits lie elsewhere alone", () => {
    fc.assert(
      fc.property(anyRun, anyCopy, anyTaker, ({ state, kind, ...more }, has, taker) => {
        const lost = { ...more, ...state, kind } as LostRun;
        const decision = decideTakeOver(lost, has, taker);
        if (decision === "rebuild" || decision === "publish") {
          expect(taker).toMatchObject({ isFree: true, hasLabels: true, isOccupied: false });
          expect(taker.hasClone || taker.mayClone).toBe(true);
          expect(has.isBehind).toBe(false);
          expect<unknown>(lost).toMatchObject({ kind: "agent", stopRequest: null });
          expect(lost.options.moved).toBeUndefined();
        }
        if (decision === "rebuild") expect(taker.hasAgent).toBe(true);
        if (decision === "publish") expect<unknown>(has.sha).toBe(lost.commit);
        if (lost.stopRequest !== null || lost.kind !== "agent" || lost.phase === "queued")
          expect(decision).toBe("leave");
      }),
    );
  });
});
