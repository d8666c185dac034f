import { describe, expect, test } from "bun:test";
import { type LeftFile, newlyLeft, stillLeft } from "../../../src/domain/publish/left-files.ts";

const state = (content: string | null) => (content === null ? null : { mode: "100644", sha: content });
const file = (path: string, was: string | null, now: string | null): LeftFile => ({
  path,
  was: state(was),
  now: state(now),
});

describe("files that a check left", () => {
  test("are those that did not lie there like that before", () => {
    const before = [file("old.txt", null, "1"), file("again.txt", null, "1"), file("counter.txt", "1", "2")];
    const now = [
      file("old.txt", null, "1"),
      file("again.txt", null, "2"),
      file("counter.txt", "1", "3"),
      file("new.txt", null, "1"),
      file("gone.txt", "1", null),
    ];
    expect(newlyLeft(before, now).map(({ path }) => path)).toEqual([
      "again.txt",
      "counter.txt",
      "new.txt",
      "gone.txt",
    ]);
  });

  test("are still left as long as both sides are the same", () => {
    const left = [
      {
        check: "test",
        files: [file("report.txt", null, "1"), file("counter.txt", "1", "2"), file("x", "1", null)],
      },
    ];
    expect([
      ...stillLeft(
        left.flatMap(({ files }) => files),
        left,
      ),
    ]).toEqual([
      ["report.txt", "test"],
      ["counter.txt", "test"],
      ["x", "test"],
    ]);
    const touched = [
      file("report.txt", null, "edited"),
      file("counter.txt", "1", "1"),
      file("x", "1", "written again"),
      { path: "counter.txt", was: state("1"), now: { mode: "100755", sha: "2" } },
      file("other.txt", null, "1"),
    ];
    expect([...stillLeft(touched, left)]).toEqual([]);
  });

  test("count as anyone's work once another version of them was committed", () => {
    const left = [{ check: "test", files: [file("report.txt", null, "1")] }];
    expect([...stillLeft([file("report.txt", "edited", "1")], left)]).toEqual([]);
  });

  test("are told with the check that changed them last", () => {
    const left = [
      { check: "test", files: [file("report.txt", null, "1")] },
      { check: "lint", files: [file("report.txt", null, "2")] },
    ];
    expect([...stillLeft([file("report.txt", null, "2")], left)]).toEqual([["report.txt", "lint"]]);
    expect([...stillLeft([file("report.txt", null, "1")], left)]).toEqual([]);
  });
});
