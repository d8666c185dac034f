import { describe, expect, test } from "bun:test";
import { lettersOf, MAX_NAMED, overlapsOf } from "../../../src/domain/decision/comparison.ts";

describe("overlaps", () => {
  test("name the paths that both changed, and whether both left the same", () => {
    const overlaps = overlapsOf(
      new Map([
        [
          "one",
          new Map([
            ["a", "100644 1"],
            ["b", null],
            ["c", "100644 3"],
            ["d", "100644 4"],
          ]),
        ],
        [
          "two",
          new Map([
            ["a", "100644 1"],
            ["b", null],
            ["c", "100755 3"],
            ["e", "100644 5"],
          ]),
        ],
      ]),
    );
    expect(overlaps.get("one")).toEqual([
      {
        attempt: "two",
        files: 3,
        identical: 2,
        paths: [
          { path: "a", identical: true },
          { path: "b", identical: true },
          { path: "c", identical: false },
        ],
      },
    ]);
    expect(overlaps.get("two")?.[0]?.files).toBe(3);
  });

  test("are unknown if the files of one are not known; one attempt alone has none", () => {
    const unknown = (attempt: string) => [{ attempt, files: null, identical: null, paths: null }];
    const overlaps = overlapsOf(
      new Map([
        ["one", new Map([["a", "1"]])],
        ["two", null],
      ]),
    );
    expect([overlaps.get("one"), overlaps.get("two")]).toEqual([unknown("two"), unknown("one")]);
    expect(overlapsOf(new Map([["one", new Map()]])).get("one")).toEqual([]);
  });

  test("count every path, and name the first thousand", () => {
    const many = new Map(Array.from({ length: MAX_NAMED + 5 }, (_, at) => [`f${at}`, "100644 1"] as const));
    const [overlap] =
      overlapsOf(
        new Map([
          ["one", many],
          ["two", many],
        ]),
      ).get("one") ?? [];
    expect([overlap?.files, overlap?.identical, overlap?.paths?.length]).toEqual([1005, 1005, 1000]);
  });
});

describe("letters", () => {
  const at = (id: string, createdAt = "2026-01-02T12:00:00.000Z") => ({ id, createdAt });

  test("follow the random ids, and stay when attempts are added", () => {
    const first = [at("c"), at("a"), at("b")];
    expect([...lettersOf(first)]).toEqual([
      ["a", "A"],
      ["b", "B"],
      ["c", "C"],
    ]);
    const later = lettersOf([...first, at("0", "2026-01-02T13:00:00.000Z")]);
    expect([later.get("a"), later.get("0")]).toEqual(["A", "D"]);
  });

  test("go on after Z", () => {
    const many = Array.from({ length: 54 }, (_, n) => at(String(n).padStart(2, "0")));
    const letters = [...lettersOf(many).values()];
    expect([letters[25], letters[26], letters[27], letters[52], letters[53]]).toEqual([
      "Z",
      "AA",
      "AB",
      "BA",
      "BB",
    ]);
  });
});
