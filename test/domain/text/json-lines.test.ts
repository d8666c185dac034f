import { expect, test } from "bun:test";
import fc from "fast-check";
import { jsonLines } from "../../../src/domain/text/json-lines.ts";

test("every key has its line, those of lists and of keys with strange characters too", () => {
  const text = `{
  "base": "main", "limits": {
    "parallel":
      2
  },
  "checks": [
    { "name": "a" },
    { "na\\u006de": "b" }
  ],

  "a.b": { "ü\\n": [] }
}`;
  expect(jsonLines(text)).toEqual({
    keys: new Map([
      ["base", 2],
      ["limits", 2],
      ["limits.parallel", 3],
      ["checks", 6],
      ["checks.0.name", 7],
      ["checks.1.name", 8],
      ["a.b", 11],
      ["a.b.ü\n", 11],
    ]),
    fault: null,
  });
});

test.each([
  ["", 1],
  ['{\n"a": 1,\n}', 3],
  ['{\n"a": 1\n"b": 2}', 3],
  ['{\n"a": [1,\n2\n', 4],
  ["{\n'a': 1}", 2],
  ['{"a": tru}', 1],
  ['{"a": "x\ny"}', 1],
  ["{}\n{}", 2],
  ['{"a": 01}', 1],
])("the first fault of %j is in line %d", (text, line) => {
  expect(jsonLines(text).fault).toBe(line);
});

test("a text that is nested beyond all reason has a fault", () => {
  expect(jsonLines("[".repeat(200_000)).fault).toBe(1);
});

test("whatever JSON.parse takes has no fault, and what it refuses has one", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 3 }), (json, place, piece) => {
      expect(jsonLines(json).fault).toBeNull();
      const at = place % (json.length + 1);
      const text = json.slice(0, at) + piece + json.slice(at);
      expect(jsonLines(text).fault === null).toBe(isJson(text));
    }),
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
