import { expect, test } from "bun:test";
import { stateNow, workerName } from "../../../src/domain/worker/worker.ts";

test("a worker is named after its machine, with a number if that is taken", () => {
  const taken = new Set(["mac-7", "mac-7-2"]);
  expect(
    ["Mac 7.local", "ci-2", "", "水", "-x-.y", "a".repeat(60)].map((host) => workerName(host, taken)),
  ).toEqual(["mac-7-3", "ci-2", "worker", "worker", "x", "a".repeat(40)]);
});

test("a worker that was not seen for long is silent, unless it stopped", () => {
  expect([stateNow("ready", 89_000), stateNow("ready", 91_000)]).toEqual(["ready", "silent"]);
  expect([stateNow("stopped", 1e9), stateNow("silent", 0)]).toEqual(["stopped", "silent"]);
});
