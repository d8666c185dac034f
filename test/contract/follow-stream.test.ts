import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ok } from "neverthrow";
import { followStream, type StreamEvent } from "../../src/contract/client/follow-stream.ts";

const STREAM =
  ': hello\n\nid: 1\nevent: fact\ndata: {"a":1}\n\nid: 2\r\nevent: fact\r\ndata: one\r\ndata: two\r\n\r\ndata:no space\nid\n\n: ping\n\nevent: nothing\n\n';
const EVENTS = [
  { id: "1", event: "fact", data: '{"a":1}' },
  { id: "2", event: "fact", data: "one\ntwo" },
  { id: "", event: "message", data: "no space" },
];

/** The events of a stream that arrives in these pieces and then breaks off. */
async function eventsOf(pieces: readonly string[], after: string | null = null): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  const encoder = new TextEncoder();
  const body = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(encoder.encode(piece));
        controller.close();
      },
    });
  await followStream({
    open: async () => ok(new Response(body())),
    onEvent: (event) => void events.push(event),
    signal: new AbortController().signal,
    after,
    retries: 0,
  });
  return events;
}

describe("reading an event stream", () => {
  test("reads fields, comments, and both line ends", async () => {
    expect(await eventsOf([STREAM])).toEqual(EVENTS);
  });

  test("reads the same however the text is cut into pieces", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: STREAM.length }), { maxLength: 12 }),
        async (cuts) => {
          const points = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
          const pieces = points.slice(1).map((to, i) => STREAM.slice(points[i], to));
          expect(await eventsOf(pieces)).toEqual(EVENTS);
        },
      ),
    );
  });

  test("keeps back an event that is not complete", async () => {
    expect(await eventsOf(["id: 1\ndata: x\n"])).toEqual([]);
  });

  test("an event without an id has the last one, also that of an earlier connection", async () => {
    expect(await eventsOf(["data: a\n\nid: 8\ndata: b\n\ndata: c\n\n"], "7")).toEqual([
      { id: "7", event: "message", data: "a" },
      { id: "8", event: "message", data: "b" },
      { id: "8", event: "message", data: "c" },
    ]);
  });
});
