import { expect, test } from "bun:test";
import { ok } from "neverthrow";
import { createClient } from "../../src/contract/client/client.ts";
import { type DoorServer, doorServer, TOKEN } from "../helpers/door-server.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** Readers of the stream of facts, each of which has its first event. */
function hundredReaders(door: DoorServer) {
  return Promise.all(
    Array.from({ length: 100 }, async () => {
      const reader = (await door.call("/api/v1/events")).body?.getReader();
      await reader?.read();
      return reader;
    }),
  );
}

test("one client address has a hundred streams, and what it asks beyond is refused until one is closed", async () => {
  await using door = doorServer();
  const readers = await hundredReaders(door);
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

test("a reader that finds no room waits for it", async () => {
  await using door = doorServer();
  const readers = await hundredReaders(door);
  const leave = new AbortController();
  const refused = Promise.withResolvers<void>();
  const client = createClient({
    url: door.url,
    token: TOKEN,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (response.status === 429) refused.resolve();
      return response;
    },
  });
  const opened = Promise.withResolvers<void>();
  const following = client.followFacts({
    after: null,
    signal: leave.signal,
    onOpen: () => opened.resolve(),
    onFact: () => undefined,
  });
  await refused.promise;
  await readers[0]?.cancel();
  await opened.promise;
  leave.abort();
  expect((await following).reason).toBe("aborted");
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
