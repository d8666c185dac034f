import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { createParser } from "eventsource-parser";
import { doorServer, TOKEN } from "../helpers/door-server.ts";
import { anAttempt, aRepository, aRun, aTask } from "../helpers/sample-documents.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** Reads a stream until it has so many events, then leaves; `events` grows meanwhile. */
async function take(
  response: Response,
  count: number,
  events: { id: string; event: string; data: string }[] = [],
) {
  const parser = createParser({
    onEvent: ({ id = "", event = "message", data }) => void events.push({ id, event, data }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (events.length >= count) break;
  }
  return events.slice(0, count);
}

const brief = (events: readonly { id: string; event: string }[]) => events.map((e) => `${e.event} ${e.id}`);

describe("the stream of facts", () => {
  test("begins with what comes next and says from which number on", async () => {
    await using door = doorServer();
    door.services.addFact({ kind: "old" });
    const response = await door.call("/api/v1/events");
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const taken = take(response, 3);
    await waitFor("the subscription", () => door.services.world.listeners === 1);
    door.services.addFact({ kind: "task.created", taskId: "t" });
    door.services.addFact({ kind: "run.state", taskId: "t", attemptId: "a", runId: "r", data: { x: 1 } });
    const events = await taken;
    expect(brief(events)).toEqual(["open 1", "fact 2", "fact 3"]);
    expect(JSON.parse(events[2]?.data ?? "")).toEqual({
      seq: 3,
      at: "2026-01-02T03:04:05.000Z",
      kind: "run.state",
      task: "t",
      attempt: "a",
      run: "r",
      data: { x: 1 },
    });
  });

  test("goes on after a number that is asked for, the header before the address", async () => {
    await using door = doorServer();
    for (let i = 0; i < 5; i += 1) door.services.addFact({});
    const byAddress = await take(await door.call("/api/v1/events?after=3"), 3);
    expect(brief(byAddress)).toEqual(["open 3", "fact 4", "fact 5"]);
    const byHeader = await take(
      await door.call("/api/v1/events?after=0", { headers: { "last-event-id": "4" } }),
      2,
    );
    expect(brief(byHeader)).toEqual(["open 4", "fact 5"]);
    expect((await door.call("/api/v1/events", { headers: { "last-event-id": "x" } })).status).toBe(400);
    expect((await door.call("/api/v1/events?after=x")).status).toBe(400);
  });

  test("brings every fact once and in order to every reader while they are written", async () => {
    await using door = doorServer();
    const readers = Array.from({ length: 3 }, async () =>
      take(await door.call("/api/v1/events?after=0"), 601),
    );
    for (let i = 0; i < 600; i += 1) {
      door.services.addFact({});
      if (i % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const wanted = ["open 0", ...Array.from({ length: 600 }, (_, i) => `fact ${i + 1}`)];
    expect((await Promise.all(readers)).map(brief)).toEqual([wanted, wanted, wanted]);
  });

  test("pings while nothing happens", async () => {
    await using door = doorServer({ pingMs: 20 });
    const response = await door.call("/api/v1/events");
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.split(": ping\n\n").length > 3) break;
    }
    expect(text).toMatch(/^id: 0\nevent: open\ndata: \{"seq":0\}\n\n(: ping\n\n)+$/);
  });

  test("forgets a reader that left", async () => {
    await using door = doorServer();
    const leave = new AbortController();
    const response = await door.call("/api/v1/events", { signal: leave.signal });
    const reading = response.text().catch(() => "left");
    await waitFor("the subscription", () => door.services.world.listeners === 1);
    expect(door.api.openStreams()).toBe(1);
    leave.abort();
    await reading;
    await waitFor("the end of the subscription", () => door.services.world.listeners === 0);
    expect(door.api.openStreams()).toBe(0);
  });

  test("reads nothing further for a reader that does not take what it has", async () => {
    await using door = doorServer();
    const text = "x".repeat(4_000);
    for (let i = 0; i < 40_000; i += 1) door.services.addFact({ data: { text } });
    const socket = connect(Number(door.host.split(":")[1]), "127.0.0.1");
    socket.write(
      `GET /api/v1/events?after=0 HTTP/1.1\r\nHost: ${door.host}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    socket.once("data", () => socket.pause());
    let reads = -1;
    await waitFor("the server to stop reading", async () => {
      const before = door.services.world.factReads;
      await Bun.sleep(300);
      reads = door.services.world.factReads;
      return before > 0 && reads === before;
    });
    // 200 facts a read: all of them would be 200 reads, more than any kernel holds for a reader.
    expect(reads).toBeLessThan(150);
    socket.destroy();
    await waitFor("the end of the subscription", () => door.services.world.listeners === 0);
  });

  test("closing the door ends every stream", async () => {
    await using door = doorServer();
    const reading = (await door.call("/api/v1/events")).text();
    await waitFor("the subscription", () => door.services.world.listeners === 1);
    door.api.close();
    expect(await reading).toContain("event: open");
    expect(door.api.openStreams()).toBe(0);
  });

  test("a HEAD request opens no stream", async () => {
    await using door = doorServer();
    const response = await door.call("/api/v1/events", { method: "HEAD" });
    expect([response.status, door.api.openStreams(), door.services.world.listeners]).toEqual([200, 0, 0]);
  });
});

describe("the stream of a run's log", () => {
  const line = (n: number) => ({
    n,
    at: null,
    source: "agent" as const,
    event: { kind: "message", text: `m${n}` },
  });
  const seeded = () => {
    const door = doorServer();
    door.services.add({
      task: aTask(),
      repository: aRepository(),
      attempts: [{ attempt: anAttempt(), runs: [aRun()] }],
    });
    return door;
  };
  const EVENTS = { headers: { accept: "text/event-stream" } };

  test("brings the lines as they are written, then the end", async () => {
    await using door = seeded();
    door.services.addLog("run-1", [line(1)]);
    const seen: { id: string; event: string; data: string }[] = [];
    const taken = take(await door.call("/api/v1/runs/run-1/events", EVENTS), 4, seen);
    await waitFor("the first line", () => seen.length === 1);
    door.services.addLog("run-1", [line(2), line(5)], { ended: true });
    const events = await taken;
    expect(brief(events)).toEqual(["line 1", "line 2", "line 5", "end 5"]);
    expect(JSON.parse(events[2]?.data ?? "")).toEqual(line(5));
  });

  test("goes on after the last line that was seen", async () => {
    await using door = seeded();
    door.services.addLog("run-1", [line(1), line(2), line(3)], { ended: true });
    const events = await take(
      await door.call("/api/v1/runs/run-1/events", { headers: { ...EVENTS.headers, "last-event-id": "2" } }),
      2,
    );
    expect(brief(events)).toEqual(["line 3", "end 3"]);
  });

  test("comes in pages to those who ask for no stream", async () => {
    await using door = seeded();
    door.services.addLog("run-1", [line(1), line(2), line(3)], { ended: true });
    const page = await door.client.log("run-1", { after: 1, limit: 1 });
    expect(page._unsafeUnwrap()).toEqual({
      lines: [line(2)],
      next: 2,
      previous: 2,
      total: 3,
      ended: false,
      sent: null,
    });
  });

  test("of a run that does not exist is not found, streamed or not", async () => {
    await using door = seeded();
    expect((await door.call("/api/v1/runs/none/events", EVENTS)).status).toBe(404);
    expect((await door.call("/api/v1/runs/none/events")).status).toBe(404);
  });
});
