import { expect, test } from "bun:test";
import { ok } from "neverthrow";
import { doorServer } from "../helpers/door-server.ts";
import { waitFor } from "../helpers/wait-for.ts";

test("one client address has a hundred streams, and what it asks beyond is refused until one is closed", async () => {
  await using door = doorServer();
  const readers = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const reader = (await door.call("/api/v1/events")).body?.getReader();
      await reader?.read();
      return reader;
    }),
  );
  const refused = await door.bare("/api/v1/health");
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    429,
    "too_many_connections",
  ]);
  const elsewhere = new Request(`${door.url}/api/v1/health`, { headers: { host: door.host } });
  expect((await door.api.fetch(elsewhere, { address: "127.0.0.2" })).status).toBe(200);
  await readers[0]?.cancel();
  await waitFor("a stream to be closed", () => door.api.openStreams() < 100);
  expect((await door.bare("/api/v1/health")).status).toBe(200);
  await Promise.all(readers.slice(1).map((reader) => reader?.cancel()));
});

test("requests that wait for their answer count too", async () => {
  await using door = doorServer();
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  door.services.agents = async () => {
    waiting += 1;
    await gate.promise;
    return ok([]);
  };
  const asked = Array.from({ length: 100 }, () => door.call("/api/v1/agents"));
  await waitFor("all of them to wait", () => waiting === 100);
  expect((await door.call("/api/v1/tasks")).status).toBe(429);
  gate.resolve();
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await door.call("/api/v1/tasks")).status).toBe(200);
});
