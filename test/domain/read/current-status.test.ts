import { describe, expect, test } from "bun:test";
import { err, ok } from "neverthrow";
import { createGetCurrentIssueStatus } from "../../../src/domain/read/current-status/index.ts";
import type { LoadError } from "../../../src/domain/read/current-status/types.ts";

const definition = {
  issue: "課題",
  context: "背景",
  constraints: "制約",
  createdAt: new Date("2026-01-31T18:05:00.123+09:00"),
};
const failing = (error: LoadError) => createGetCurrentIssueStatus(async () => err(error))();

describe("getCurrentIssueStatus", () => {
  test("seed 004 Domain Read Model, Domain Models, Domain Read Model Tests and Functional Error Handling: the definition becomes a view of four strings, with createdAt as an ISO string", async () => {
    const getCurrentIssueStatus = createGetCurrentIssueStatus(async () => ok(definition));
    expect((await getCurrentIssueStatus())._unsafeUnwrap()).toEqual({
      issue: "課題",
      context: "背景",
      constraints: "制約",
      createdAt: "2026-01-31T09:05:00.123Z",
    });
  });

  test("seed 004 Domain Read Model, Error Categories, Domain Read Model Tests and Functional Error Handling: getCurrentIssueStatus answers null after file_not_found, which is no error", async () => {
    const status = await failing({ type: "file_not_found", message: "no such file" });
    expect(status.isOk() && status.value).toBeNull();
  });

  test("seed 004 Domain Read Model, Domain Models, MCP Framework Integration and Functional Error Handling: every other error is passed on as a FileSystemError with its message", async () => {
    for (const type of ["permission_denied", "not_a_file", "outside_workspace", "unknown"])
      expect((await failing({ type, message: `it is ${type}` }))._unsafeUnwrapErr()).toEqual({
        type: "FileSystemError",
        message: `it is ${type}`,
      });
  });

  test("seed 004 Domain Read Model, Domain Models, Domain Read Model Tests and Error Categories: data corruption is told apart (departs: DataCorruption is an error of its own)", async () => {
    expect((await failing({ type: "corrupt", message: "is not JSON" }))._unsafeUnwrapErr()).toEqual({
      type: "DataCorruption",
      message: "is not JSON",
    });
  });

  test("seed 004 Domain Read Model: getCurrentIssueStatus asks its loader anew at each call (departs: it is given its loader)", async () => {
    let loads = 0;
    const getCurrentIssueStatus = createGetCurrentIssueStatus(async () => {
      loads += 1;
      return loads === 1 ? err({ type: "file_not_found", message: "" }) : ok(definition);
    });
    const hasIssue = async () => (await getCurrentIssueStatus())._unsafeUnwrap() !== null;
    expect([await hasIssue(), await hasIssue()]).toEqual([false, true]);
  });
});
