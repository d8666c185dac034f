import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { pathAfter } from "../../../src/domain/comment/follow-file.ts";
import { isTouched, linesOf, placeAgain, quotedAt } from "../../../src/domain/comment/place-comment.ts";

/** Few different lines, so that many of them are equal. */
const line = fc.constantFrom("a", "b", "}", "");
const file = fc.array(line, { minLength: 1, maxLength: 12 });
const placed = file.chain((lines) =>
  fc
    .tuple(fc.integer({ min: 1, max: lines.length }), fc.nat({ max: 3 }))
    .map(([at, more]) => ({ lines, place: { line: at, endLine: Math.min(lines.length, at + more) } })),
);
const quotedOf = (lines: readonly string[], place: { readonly line: number; readonly endLine: number }) =>
  quotedAt(lines, place) ?? "";

describe("a comment whose file changed", () => {
  test("stays if its lines stayed", () => {
    fc.assert(
      fc.property(placed, ({ lines, place }) => {
        expect(placeAgain({ line: place.line, quoted: quotedOf(lines, place) }, lines)).toEqual(place);
      }),
    );
  });

  test("moves with its lines if they are the only such ones", () => {
    fc.assert(
      fc.property(placed, file, file, ({ lines, place }, above, below) => {
        const own = lines.map((text, at) => `${at}${text}`);
        const again = placeAgain({ line: place.line, quoted: quotedOf(own, place) }, [
          ...above,
          ...own,
          ...below,
        ]);
        expect(again).toEqual({ line: place.line + above.length, endLine: place.endLine + above.length });
      }),
    );
  });

  test("is found at equal lines only, at the nearest of them, or nowhere", () => {
    fc.assert(
      fc.property(placed, file, ({ lines, place }, now) => {
        const quoted = quotedOf(lines, place);
        const size = place.endLine - place.line;
        const equal = now.flatMap((_, at) =>
          quotedAt(now, { line: at + 1, endLine: at + 1 + size }) === quoted ? [at + 1] : [],
        );
        const found = placeAgain({ line: place.line, quoted }, now);
        if (found === null) return expect(equal).toEqual([]);
        expect(quotedAt(now, found)).toBe(quoted);
        const distance = Math.min(...equal.map((at) => Math.abs(at - place.line)));
        expect(Math.abs(found.line - place.line)).toBe(distance);
      }),
    );
  });

  test("reads lines as they are shown, with either end", () => {
    expect(linesOf("one\r\ntwo\n")).toEqual(["one", "two"]);
    expect(linesOf("")).toEqual([]);
    expect(linesOf("\n\nx")).toEqual(["", "", "x"]);
    expect(quotedAt(["a"], { line: 1, endLine: 2 })).toBe(null);
    expect(placeAgain({ line: 1, quoted: "one\r\ntwo" }, ["zero", "one", "two"])).toEqual({
      line: 2,
      endLine: 3,
    });
  });
});

describe("the place of a comment", () => {
  test("is touched by nothing that keeps the file, and by what removes its lines", () => {
    fc.assert(
      fc.property(placed, ({ lines, place }) => {
        expect(isTouched(place, lines, lines)).toBe(false);
        const own = lines.map((text, at) => `${at}${text}`);
        expect(isTouched(place, own, own.toSpliced(place.line - 1, 1))).toBe(true);
      }),
    );
  });

  test("is touched by a line right before or behind it, and not by one further away", () => {
    const lines = ["1", "2", "3", "4", "5"];
    const at = (index: number) => isTouched({ line: 3, endLine: 3 }, lines, lines.toSpliced(index, 0, "new"));
    expect([0, 1, 2, 3, 4, 5].map(at)).toEqual([false, false, true, true, false, false]);
    expect(isTouched({ line: 1, endLine: 1 }, ["1"], ["new", "1"])).toBe(true);
    expect(isTouched({ line: 1, endLine: 1 }, ["1"], ["1", "new"])).toBe(true);
  });
});

describe("the file of a comment", () => {
  const change = { path: "b", previousPath: "a", status: "renamed", previousSha: "1", sha: "2" };

  test("is followed through a rename, and lost with a deletion", () => {
    expect(pathAfter("a", [change])).toBe("b");
    expect(pathAfter("c", [change])).toBe("c");
    expect(pathAfter("b", [{ ...change, previousPath: null, status: "deleted" }])).toBe(null);
    expect(pathAfter("a", [{ ...change, status: "copied" }])).toBe("a");
  });
});
