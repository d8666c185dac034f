import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createEventReader } from "../../src/contract/client/event-stream.ts";

const STREAM =
  ': hello\n\nid: 1\nevent: fact\ndata: {"a":1}\n\nid: 2\r\nevent: fact\r\ndata: one\r\ndata: two\r\n\r\ndata:no space\nid\n\n: ping\n\nevent: nothing\n\n';
const EVENTS = [
  { id: "1", event: "fact", data: '{"a":1}' },
  { id: "2", event: "fact", data: "one\ntwo" },
  { id: "", event: "message", data: "no space" },
];

describe("reading an event stream", () => {
  test("reads fields, comments, and both line ends", () => {
    expect(createEventReader().feed(STREAM)).toEqual(EVENTS);
  });

  test("reads the same however the text is cut into pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: STREAM.length }), { maxLength: 12 }), (cuts) => {
        const points = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
        const reader = createEventReader();
        const events = points.slice(1).flatMap((to, i) => reader.feed(STREAM.slice(points[i], to)));
        expect(events).toEqual(EVENTS);
      }),
    );
  });

  test("keeps back an event that is not complete", () => {
    expect(createEventReader().feed("id: 1\ndata: x\n")).toEqual([]);
  });
});
