import { describe, expect, test } from "bun:test";
import {
  fixedWords,
  heldLast,
  movedTo,
  nextInQueue,
  queueOf,
  withWords,
} from "../../../src/domain/run/queue.ts";
import type { RunOptions } from "../../../src/domain/run/run.ts";

/** `2h` is run number 2, held. */
const runs = (...names: string[]) =>
  names.map((name) => ({ id: name, number: Number.parseInt(name, 10), held: name.endsWith("h") }));

/** The order after the move, or the places that the run may take. */
function moved(names: readonly string[], id: string, position: number): string {
  const queue = runs(...names);
  const run = queue.find((each) => each.id === id);
  if (run === undefined) throw new Error(`no run ${id}`);
  return movedTo(queue, run, position).match(
    (order) => order.map((each) => each.id).join(" "),
    ({ from, to }) => `${from} to ${to}`,
  );
}

describe("the queue of an attempt", () => {
  test("holds the runs that nobody begins or ends", () => {
    const waits = { status: "PENDING", phase: "queued", stopRequest: null, lease: null } as const;
    const lease = { owner: "engine", epoch: 1, until: "2026-01-02T12:00:00.000Z" };
    const all = [
      { ...waits, status: "RUNNING", phase: "agent" } as const,
      waits,
      { ...waits, phase: "preparing" } as const,
      { ...waits, stopRequest: "stop" } as const,
      { ...waits, lease },
      { ...waits, status: "CANCELED", phase: null } as const,
    ];
    expect(queueOf(all)).toEqual([waits]);
  });

  test("a run can be moved to each place, and the others make room", () => {
    const queue = ["2", "3", "4"];
    expect([1, 2, 3].map((place) => moved(queue, "4", place))).toEqual(["4 2 3", "2 4 3", "2 3 4"]);
    expect([1, 2, 3].map((place) => moved(queue, "2", place))).toEqual(["2 3 4", "3 2 4", "3 4 2"]);
  });

  test("a place that is not there is refused with those that are", () => {
    expect([0, -1, 4, 1e9].map((place) => moved(["2", "3", "4"], "3", place))).toEqual(
      Array(4).fill("1 to 3"),
    );
  });

  test("the run that begins the attempt stays first", () => {
    expect(moved(["1", "2", "3"], "1", 2)).toBe("1 to 1");
    expect(moved(["1", "2", "3"], "3", 1)).toBe("2 to 3");
    expect(moved(["1", "2", "3"], "3", 2)).toBe("1 3 2");
  });

  test("held runs let the others pass: they stay behind them", () => {
    expect(moved(["4", "2h", "3h"], "3h", 1)).toBe("2 to 3");
    expect(moved(["4", "2h", "3h"], "3h", 2)).toBe("4 3h 2h");
    expect(moved(["4", "2h", "3h"], "4", 2)).toBe("1 to 1");
    expect(heldLast(runs("2h", "4", "3h", "5")).map(({ id }) => id)).toEqual(["4", "5", "2h", "3h"]);
    expect(nextInQueue(runs("2h", "4", "5"))?.id).toBe("4");
    expect(nextInQueue(runs("2h"))).toBeNull();
  });
});

describe("the words of a queued run", () => {
  const fixed = (number: number, kind: "agent" | "commit" | "publish" | "review", options: RunOptions = {}) =>
    fixedWords({ number, kind, options });

  test("are a person's unless they are the task's, or nobody reads them", () => {
    const allowance = { by: "me", reason: "x", at: "2026-01-02T12:00:00.000Z", findings: [], checks: [] };
    expect([
      fixed(2, "agent"),
      fixed(2, "agent", { resolve: "first", mergeBase: true }),
      fixed(2, "agent", { retryOf: "run-1" }),
      fixed(2, "review"),
      fixed(2, "commit", { message: "Mine" }),
    ]).toEqual([null, null, null, null, null]);
    expect([
      fixed(1, "agent"),
      fixed(2, "publish"),
      fixed(2, "commit", { allowance: allowance as never }),
      fixed(2, "agent", { resolve: "only" }),
    ]).toEqual(["task", "only_publishes", "only_publishes", "only_resolves"]);
  });

  test("are replaced, and what was sent with them stays behind them", () => {
    const run = { kind: "agent", instruction: "Do it.\n\na.ts:1\nWhy?", options: { ownLength: 6 } } as const;
    const once = withWords(run, "Do the other thing.");
    expect(once).toEqual({ instruction: "Do the other thing.\n\na.ts:1\nWhy?", options: { ownLength: 19 } });
    expect(withWords({ ...run, ...once }, "No.").instruction).toBe("No.\n\na.ts:1\nWhy?");
    expect(withWords({ ...run, options: {} }, "No.").instruction).toBe("No.");
  });

  test("of a person's own edits are the message of their commit", () => {
    const run = { kind: "commit", instruction: "Commit my edits", options: {} } as const;
    expect(withWords(run, "Water them")).toEqual({
      instruction: "Water them",
      options: { message: "Water them" },
    });
  });
});
