/** Holds how Activity tells operations: groups, changes, who asked, and what was undone. */
import { describe, expect, test } from "bun:test";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import { groupOfKind } from "../../src/contract/words/operation-group.ts";
import {
  askedOf,
  changeOf,
  fieldsOf,
  merged,
  shortSha,
  tookMs,
  undoneIn,
} from "../../web/src/features/activity/operations.ts";

const SHA = "e07b1d4".padEnd(40, "0");
const operation: OperationDocument = {
  id: "one",
  kind: "commit",
  subject: { type: "run", id: "run" },
  before: { branch: "tazuna/x", sha: "a".repeat(40) },
  after: { branch: "tazuna/x", sha: SHA },
  status: "done",
  undoable: true,
  commands: null,
  actor: null,
  at: "2026-01-01T00:00:00.000Z",
  ended_at: "2026-01-01T00:00:01.500Z",
};

describe("operations", () => {
  test("stand in one of three groups", () => {
    expect(["push", "trash", "ref_restored"].map(groupOfKind)).toEqual(["git", "worktrees", "stepped"]);
  });

  test("show what was before and after, in short", () => {
    expect(changeOf(operation)).toEqual({ thing: "tazuna/x", from: "a".repeat(40), to: SHA });
    expect(shortSha(SHA)).toBe("e07b1d4");
    expect(shortSha("#457")).toBe("#457");
    expect(changeOf({ ...operation, kind: "pull_request_link", after: { number: 457 } }).to).toBe("#457");
  });

  test("name the person who asked, without the address, and why", () => {
    const asked = { ...operation, before: { by: "Kei <kei@example.com>", reason: "too early" } };
    expect(askedOf(asked)).toEqual({ by: "Kei", reason: "too early", message: null });
  });

  test("take as long as they took, or are not over", () => {
    expect(tookMs(operation)).toBe(1500);
    expect(tookMs({ ...operation, ended_at: null })).toBeNull();
  });

  test("count once, the newest first, as the newest reading has them", () => {
    const later = { ...operation, id: "two", at: "2026-01-02T00:00:00.000Z" };
    const renewed = { ...operation, undoable: false };
    expect(merged([renewed], [operation, later]).map(({ id, undoable }) => [id, undoable])).toEqual([
      ["two", true],
      ["one", false],
    ]);
  });

  test("are known as undone by the undo that names them", () => {
    const undo = { ...operation, id: "undo", kind: "undo", before: { of: "one" } };
    expect([...undoneIn([undo, operation])]).toEqual(["one"]);
  });

  test("show every field that says something", () => {
    expect(fieldsOf({ a: null, b: "x\u001b[31m", c: [1] })).toEqual([
      ["b", "x"],
      ["c", "[1]"],
    ]);
  });
});
