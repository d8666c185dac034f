/** Holds which worktrees may be chosen in Storage, and in which order they stand. */
import { describe, expect, test } from "bun:test";
import type { StorageItem } from "../../src/contract/endpoints/trash.ts";
import { matches } from "../../web/src/features/attempts/matches.ts";
import { bytesOf, canChoose, rowsOf } from "../../web/src/features/storage/rows.ts";

const item: StorageItem = {
  attempt: "a",
  task: "t",
  title: "Resume a CSV import",
  repository: { id: "r", name: "kura" },
  agent: "codex",
  state: "open",
  path: "/w",
  branch: "tazuna/a",
  bytes: 5,
  scanned_at: null,
  last_used_at: null,
  dirty: null,
  unpushed: null,
  verdict: "may_go",
  reason: null,
  remedy: null,
};

describe("the rows of Storage", () => {
  const rows = rowsOf(
    [
      { ...item, attempt: null, verdict: "not_ours", path: "/strange" },
      item,
      { ...item, attempt: "b", verdict: null, bytes: null },
      { ...item, attempt: "c", verdict: "kept" },
      { ...item, attempt: "d", verdict: "working" },
    ],
    [],
  );

  test("stand by verdict: what works first, what is not examined last", () => {
    expect(rows.map(({ id }) => id)).toEqual(["d", "c", "a", "/strange", "b"]);
  });

  test("are chosen only if they may go, or may go once they are named", () => {
    expect(rows.filter(canChoose).map(({ id }) => id)).toEqual(["c", "a"]);
  });

  test("sum up the sizes that are known", () => {
    expect(bytesOf(rows.map((row) => row.item))).toBe(20);
  });

  test("are found by any of their words", () => {
    expect(matches("Resume a CSV import kura go", "csv KURA")).toBe(true);
    expect(matches("Resume a CSV import kura go", "csv shiori")).toBe(false);
  });
});
