import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nearestWord, nearestWords } from "../../../src/domain/text/nearest.ts";

/** Edits that make one word of the other, by the plain definition; a transposition of neighbours is one. */
function edits(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  if (a[0] === b[0]) return edits(a.slice(1), b.slice(1));
  const swapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  return (
    1 +
    Math.min(
      edits(a.slice(1), b),
      edits(a, b.slice(1)),
      edits(a.slice(1), b.slice(1)),
      swapped ? edits(a.slice(2), b.slice(2)) : Number.POSITIVE_INFINITY,
    )
  );
}

const LETTERS = "abcde";
const word = (max: number) =>
  fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: max }).map((letters) => letters.join(""));

describe("the word that was probably meant", () => {
  test.each([
    ["claud-code", ["codex", "claude-code"], "claude-code"],
    ["bananas", ["codex", "claude-code"], null],
    ["bogus", ["logs", "run", "stop"], null],
    ["rnu", ["run", "retry"], "run"],
    ["lgos", ["list", "logs"], "logs"],
    ["Agnet", ["agent"], "agent"],
    ["cont", ["config", "continue"], "continue"],
    ["c", ["config", "continue"], null],
    ["", ["a", "on"], null],
    ["of", ["on", "off"], "off"],
  ])("of %j among %j is %j", (mistyped, known, meant) => {
    expect(nearestWord(mistyped, known)).toBe(meant);
  });

  test("is one of the known ones, never too far for its length, and none is nearer", () => {
    fc.assert(
      fc.property(word(7), fc.array(word(7), { maxLength: 6 }), (mistyped, known) => {
        const max = (other: string) => [0, 0, 0, 1, 1, 2, 2, 2][Math.min(mistyped.length, other.length)] ?? 0;
        const near = known.filter(
          (other) =>
            edits(mistyped, other) <= max(other) || (mistyped.length > 1 && other.startsWith(mistyped)),
        );
        const meant = nearestWord(mistyped, known);
        if (meant === null) return expect(near).toEqual([]);
        expect(near).toContain(meant);
        expect(edits(mistyped, meant)).toBe(Math.min(...near.map((other) => edits(mistyped, other))));
      }),
      { numRuns: 300 },
    );
  });

  test("is the known word with one letter mistyped, left out or doubled, and the word itself", () => {
    fc.assert(
      fc.property(word(7), fc.nat(), fc.constantFrom("x", ""), (known, at, letter) => {
        fc.pre(known.length > 3);
        const place = at % known.length;
        const twice = `${known.slice(0, place)}${known[place]}${known.slice(place)}`;
        const mistyped = `${known.slice(0, place)}${letter}${known.slice(place + 1)}`;
        for (const wrong of [mistyped, twice, known]) expect(nearestWord(wrong, [known])).toBe(known);
      }),
    );
  });
});

test("the nearest names come first, at most five", () => {
  const names = ["develop", "main", "feature/login", "feature/logout", "release/1", "release/2", "手綱"];
  expect(nearestWords("mian", names)[0]).toBe("main");
  expect(nearestWords("feature/logn", names).slice(0, 2)).toEqual(["feature/login", "feature/logout"]);
  expect(nearestWords("MAIN", names)[0]).toBe("main");
  expect(nearestWords("x", names)).toHaveLength(5);
  expect(nearestWords("x", [])).toEqual([]);
});
