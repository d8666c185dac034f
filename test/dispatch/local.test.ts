import { describe, expect, test } from "bun:test";
import { createLocalDispatcher } from "../../src/dispatch/local.ts";
import type { QueuedRun } from "../../src/domain/run/scheduling.ts";
import { waitFor } from "../helpers/wait-for.ts";

const run = (id: string): QueuedRun => ({
  id,
  attemptId: `attempt-${id}`,
  repositoryId: "r",
  repositoryKey: "r/.git",
  login: null,
  held: false,
  begun: false,
});

/** A queue in memory, and runs that end when the test says so. */
function startDispatcher(slots: number) {
  const queued: QueuedRun[] = [];
  const begun: string[] = [];
  const errors: unknown[] = [];
  const told: [id: string, reason: string][][] = [];
  const endings = new Map<string, { end: () => void; fail: (error: Error) => void }>();
  const away = new Set<Error>();
  const dispatcher = createLocalDispatcher({
    gather: async () => {
      for (const error of away) throw error;
      return {
        queued: [...queued],
        elsewhere: [],
        busyAttempts: new Set(),
        heldLogins: new Map(),
        diskBelowFloor: false,
        beginsNothing: null,
      };
    },
    tellWaiting: async (waiting) => {
      told.push(waiting.map((one) => [one.run.id, one.waits.reason]));
    },
    slotsOf: () => ({ parallel: slots, perRepository: slots, perLogin: slots }),
    execute: ({ id }) => {
      queued.splice(
        queued.findIndex((one) => one.id === id),
        1,
      );
      begun.push(id);
      return new Promise((end, fail) => endings.set(id, { end, fail }));
    },
    onError: (error) => errors.push(error),
    retryMs: 50,
  });
  return { dispatcher, queued, begun, told, errors, endings, away };
}

describe("the local dispatcher", () => {
  test("begins what the limits allow, and the next as soon as one ends", async () => {
    const { dispatcher, queued, begun, told, endings } = startDispatcher(2);
    queued.push(run("a"), run("b"), run("c"));
    dispatcher.poke();
    await waitFor("two runs", () => begun.length === 2);
    expect(dispatcher.active().map(({ id }) => id)).toEqual(["a", "b"]);
    expect(told).toEqual([[["c", "parallel"]]]);
    endings.get("a")?.end();
    await waitFor("the third run", () => begun.length === 3);
    expect(begun).toEqual(["a", "b", "c"]);
  });

  test("a run that waits gives its slot to the next and is not begun twice", async () => {
    const { dispatcher, queued, begun } = startDispatcher(1);
    queued.push(run("a"), run("b"));
    dispatcher.poke();
    await waitFor("the first run", () => begun.length === 1);
    dispatcher.releaseSlot("a");
    await waitFor("the second run", () => begun.length === 2);
    dispatcher.poke();
    expect(begun).toEqual(["a", "b"]);
  });

  test("a run that throws is reported and the queue goes on", async () => {
    const { dispatcher, queued, begun, errors, endings } = startDispatcher(1);
    queued.push(run("a"), run("b"));
    dispatcher.poke();
    await waitFor("the first run", () => begun.length === 1);
    endings.get("a")?.fail(new Error("boom"));
    await waitFor("the second run", () => begun.length === 2);
    expect(errors).toEqual([new Error("boom")]);
  });

  test("a run whose driver threw is tried again later, not at once", async () => {
    const { dispatcher, queued, begun, endings } = startDispatcher(1);
    queued.push(run("a"));
    dispatcher.poke();
    await waitFor("the first try", () => begun.length === 1);
    queued.push(run("a"));
    endings.get("a")?.fail(new Error("disk full"));
    dispatcher.poke();
    await waitFor("the second try", () => begun.length === 2);
    expect(begun).toEqual(["a", "a"]);
  });

  test("what waits behind a run whose driver threw does not overtake it", async () => {
    const { dispatcher, queued, begun, endings } = startDispatcher(2);
    const [first, second] = [run("a"), { ...run("b"), attemptId: "attempt-a" }];
    queued.push(first, second, run("c"));
    dispatcher.poke();
    await waitFor("two runs", () => begun.length === 2);
    queued.unshift(first);
    endings.get("a")?.fail(new Error("the database is away"));
    await waitFor("the first run once more", () => begun.length === 3);
    expect(begun).toEqual(["a", "c", "a"]);
  });

  test("a queue that cannot be read is looked at again until it can, without being asked", async () => {
    const { dispatcher, queued, begun, errors, away } = startDispatcher(1);
    const error = new Error("the database is away");
    away.add(error);
    queued.push(run("a"));
    dispatcher.poke();
    await waitFor("a second look", () => errors.length === 2);
    away.clear();
    await waitFor("the run", () => begun.length === 1);
    expect(errors.every((one) => one === error)).toBe(true);
  });

  test("after stop nothing begins, and stop waits for what goes on", async () => {
    const { dispatcher, queued, begun, endings } = startDispatcher(1);
    queued.push(run("a"), run("b"));
    dispatcher.poke();
    await waitFor("the first run", () => begun.length === 1);
    let settled = false;
    const stopping = dispatcher.stop().then(() => {
      settled = true;
    });
    await Promise.resolve();
    expect(settled).toBe(false);
    endings.get("a")?.end();
    await stopping;
    expect(begun).toEqual(["a"]);
  });
});
