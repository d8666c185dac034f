/** Tells when a worker asks for a look at what waits everywhere: if it has room, or more waits here than before. */
import { expect, test } from "bun:test";
import type { QueuedRun } from "../../src/domain/run/scheduling.ts";
import { type Waiting, waitingFor } from "../../src/domain/run/waiting.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { createChangeTeller } from "../../src/services/moving/tell-change.ts";

const queued = (id: string): QueuedRun => ({
  ...{ id, attemptId: id, repositoryId: "r", repositoryKey: "r" },
  ...{ login: null, begun: false, held: false },
});

/** Looks at the queue, one after the other: what works then, and what each of the others waits for. */
async function asksAt(
  looks: readonly {
    readonly works?: readonly string[];
    readonly waits?: Readonly<Record<string, Waiting["reason"]>>;
  }[],
): Promise<readonly boolean[]> {
  let active: readonly QueuedRun[] = [];
  let asked = 0;
  const context = {
    dispatcher: () => ({ active: () => active }),
    team: () => ({
      placeSoon: async () => {
        asked += 1;
      },
    }),
  };
  const tell = createChangeTeller(context as unknown as ServiceContext);
  const asks: boolean[] = [];
  for (const { works = [], waits = {} } of looks) {
    active = works.map(queued);
    const before = asked;
    await tell(Object.entries(waits).map(([id, why]) => ({ run: queued(id), waits: waitingFor(why) })));
    asks.push(asked > before);
  }
  return asks;
}

test("a look without a change asks for nothing", async () => {
  const look = { works: ["a"], waits: { b: "parallel" } } as const;
  expect(await asksAt([{}, look, look])).toEqual([false, true, false]);
});

test("a run that ended gives room, also if the next one has its slot already", async () => {
  expect(await asksAt([{ works: ["a"] }, {}])).toEqual([false, true]);
  const next = [{ works: ["a"], waits: { b: "per_login" } }, { works: ["b"] }] as const;
  expect((await asksAt(next))[1]).toBe(true);
});

test("a run that waits for something else is news", async () => {
  expect(await asksAt([{ waits: { b: "parallel" } }, { waits: { b: "disk" } }])).toEqual([true, true]);
});

test("a run that begins here, or is taken from a full worker, gives nobody room", async () => {
  const two = { works: ["a"], waits: { b: "parallel", c: "parallel" } } as const;
  expect((await asksAt([two, { works: ["a"], waits: { b: "parallel" } }]))[1]).toBe(false);
  expect((await asksAt([two, { works: ["a", "b"], waits: { c: "parallel" } }]))[1]).toBe(false);
});

test("a run that leaves the queue of a worker with room lets others use that room", async () => {
  expect((await asksAt([{ works: ["a"], waits: { b: "attempt" } }, { works: ["a"] }]))[1]).toBe(true);
});
