import { describe, expect } from "bun:test";
import type { CheckResult } from "../../src/domain/run/check.ts";
import { checksOfRun, leftByChecksOf, saveCheck } from "../../src/storage/tables/checks.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON } from "./sample-rows.ts";

const check: CheckResult = {
  runId: "run-1",
  name: "test",
  tree: "a".repeat(40),
  command: "bun test",
  required: true,
  outcome: "failed",
  exitCode: 1,
  durationMs: 1_234,
  output: "1 fail\n",
  leftBehind: [
    { path: "coverage/index.html", was: null, now: { mode: "100644", sha: "c".repeat(40) } },
    { path: "gone.txt", was: { mode: "100755", sha: "d".repeat(40) }, now: null },
  ],
  at: NOON,
};

describe("checks", () => {
  onBothDatabases(
    "are stored with their tree; a newer result takes the older one's place",
    async ({ db }) => {
      await transact(db, insertSampleRun);
      const lint = { ...check, name: "lint", required: false, outcome: "timed_out", exitCode: null } as const;
      const again = {
        ...check,
        tree: "b".repeat(40),
        outcome: "passed",
        exitCode: 0,
        at: "2026-01-02T12:00:01.000Z",
      } as const;
      for (const result of [check, lint, { ...again, durationMs: 1_234.4 }])
        await transact(db, (trx) => saveCheck(trx, result));
      expect(await checksOfRun(db.reader, "run-1")).toEqual([lint, again]);
      expect(await checksOfRun(db.reader, "run-2")).toEqual([]);
    },
  );

  onBothDatabases("tell what they left in an attempt, in the order in which they ended", async ({ db }) => {
    await transact(db, insertSampleRun);
    const later = { ...check, name: "a", at: "2026-01-02T12:00:02.000Z" };
    for (const result of [later, check, { ...check, name: "tidy", leftBehind: [] }])
      await transact(db, (trx) => saveCheck(trx, result));
    expect(await leftByChecksOf(db.reader, "attempt-1")).toEqual([
      { check: "test", files: check.leftBehind },
      { check: "a", files: check.leftBehind },
    ]);
    expect(await leftByChecksOf(db.reader, "attempt-2")).toEqual([]);
  });
});
