import { expect, test } from "bun:test";
import { ok } from "neverthrow";
import { doorServer, TOKEN } from "../helpers/door-server.ts";
import { memoryServices } from "../helpers/memory-services.ts";
import { aRepository, aTask } from "../helpers/sample-documents.ts";

test("while something is asked or done for a caller, its connection is not idle; afterwards it is", async () => {
  const seen: string[] = [];
  const connection = { keepOpen: () => seen.push("open"), letIdle: () => seen.push("idle") };
  const services = memoryServices();
  const agents = async () => {
    seen.push("agents");
    return ok([]);
  };
  const demo = async () => {
    seen.push("demo");
    return ok({ task: aTask(), repository: aRepository(), attempts: [] });
  };
  await using door = doorServer({ services: { ...services, agents, demo } });
  const request = (path: string, init?: RequestInit) =>
    new Request(`${door.url}/api/v1/${path}`, {
      ...init,
      headers: { host: door.host, authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    });
  await door.api.fetch(request("agents"), connection);
  await door.api.fetch(request("demo", { method: "POST", body: "{}" }), connection);
  expect(seen).toEqual(["open", "agents", "idle", "open", "demo", "idle"]);
});
