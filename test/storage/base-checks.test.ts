import { describe, expect } from "bun:test";
import type { BaseCheck } from "../../src/domain/run/base-check.ts";
import { baseChecksAt, saveBaseCheck } from "../../src/storage/tables/checks.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON } from "./sample-rows.ts";

describe("a check on a base", () => {
  onBothDatabases("has one result for each commit and definition", async ({ db }) => {
    const repositoryId = "repo-1";
    const check: BaseCheck = {
      repositoryId,
      baseSha: "a".repeat(40),
      hash: "1",
      name: "tests",
      command: "true",
      outcome: "passed",
      exitCode: 0,
      durationMs: 12,
      output: "fine",
      at: NOON,
    };
    const again: BaseCheck = { ...check, outcome: "timed_out", exitCode: null };
    const other = { ...check, hash: "2" };
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      for (const each of [check, other, again]) await saveBaseCheck(trx, each);
    });
    expect(await baseChecksAt(db.reader, check)).toEqual(
      new Map([
        ["1", again],
        ["2", other],
      ]),
    );
    expect(await baseChecksAt(db.reader, { ...check, baseSha: "b" })).toEqual(new Map());
  });
});
