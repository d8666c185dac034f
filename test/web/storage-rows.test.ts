/** Holds which worktrees may be chosen in Storage, and in which order they stand. */
import { describe, expect, test } from "bun:test";
import { bytesOf, canChoose, matches, rowsOf } from "../../web/src/features/storage/rows.ts";

const thing = { what: "The worktree on x", whose: null, path: "/w", remedy: null };

describe("the rows of Storage", () => {
  const rows = rowsOf(
    {
      removed: [{ ...thing, id: "a", bytes: 5, why: "It is finished." }],
      kept: [{ ...thing, id: "b", bytes: null, reason: "Nothing explains it." }],
    },
    [],
  );

  test("stand by verdict, and what no attempt explains is never chosen", () => {
    expect(rows.map(({ id, verdict }) => [id, verdict])).toEqual([
      ["a", "go"],
      ["b", "foreign"],
    ]);
    expect(rows.map(canChoose)).toEqual([true, false]);
  });

  test("sum up the sizes that are known", () => {
    expect(bytesOf(rows)).toBe(5);
  });

  test("are found by any of their words", () => {
    expect(matches("Resume a CSV import kura go", "csv KURA")).toBe(true);
    expect(matches("Resume a CSV import kura go", "csv shiori")).toBe(false);
  });
});
