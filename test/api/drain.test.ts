/** Drains, resumes and removes a worker over HTTP, and refuses what it cannot take. */
import { expect, test } from "bun:test";
import { doorServer } from "../helpers/door-server.ts";
import { aWorker } from "../helpers/sample-documents.ts";

function team() {
  const door = doorServer();
  door.services.world.workers = [aWorker()];
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await door.call(`/api/v1/workers/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    return [response.status, (await response.json()) as Record<string, unknown>] as const;
  };
  return { ask, door, [Symbol.asyncDispose]: () => door.stop() };
}

test("a drain answers with the worker, and a time limit is told in seconds", async () => {
  await using world = team();
  const since = "2026-01-02T03:04:05.000Z";
  expect<unknown>(await world.ask("POST", "ci-2/drain", {})).toEqual([
    200,
    aWorker({ drain: { since, by: null, stops_at: null, runs: 2 } }),
  ]);
  const [, limited] = await world.ask("POST", "ci-2/drain", { within_s: 60 });
  expect(limited.drain).toMatchObject({ stops_at: "2026-01-02T04:04:05.000Z" });
  expect(world.door.services.calls).toEqual([
    "drainWorker ci-2 null resume",
    "drainWorker ci-2 60000 resume",
  ]);
  expect<unknown>(await world.ask("POST", "ci-2/resume")).toEqual([200, aWorker()]);
  expect<unknown>(await world.ask("DELETE", "worker-1")).toEqual([200, aWorker()]);
  expect((await world.door.client.workers())._unsafeUnwrap().items).toEqual([]);
});

test("a time limit that is none is refused, and so is a worker that is not there", async () => {
  await using world = team();
  for (const within_s of [0, -1, 1.5, 604_801, "30m"])
    expect((await world.ask("POST", "ci-2/drain", { within_s }))[0]).toBe(400);
  expect((await world.ask("POST", "ci-2/drain", { until: "start" }))[0]).toBe(400);
  expect(world.door.services.calls).toEqual([]);
  for (const [method, path] of [
    ["POST", "ci-3/resume"],
    ["DELETE", "ci-3"],
  ] as const) {
    const [status, { code }] = await world.ask(method, path);
    expect([path, status, code]).toEqual([path, 404, "not_found"]);
  }
});
