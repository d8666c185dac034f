import { describe, expect } from "bun:test";
import {
  forgetViewed,
  saveSeenRun,
  saveViewed,
  seenRunOf,
  viewedFilesOf,
} from "../../src/storage/tables/viewed.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON } from "./sample-rows.ts";

const file = { attemptId: "attempt-1", path: "src/ä.ts", mark: "0 0 100644 1", at: NOON };

describe("what a person has looked at", () => {
  onBothDatabases("is one mark for each file, and one run for each attempt", async ({ db }) => {
    const again = { ...file, mark: "0 0 100644 2" };
    const other = { ...file, path: "a.ts" };
    const seen = { attemptId: "attempt-1", runId: "run-1", at: NOON };
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      for (const each of [file, other, again]) await saveViewed(trx, each);
      await saveSeenRun(trx, seen);
      await saveSeenRun(trx, seen);
    });
    expect(await viewedFilesOf(db.reader, "attempt-1")).toEqual([other, again]);
    expect(await seenRunOf(db.reader, "attempt-1")).toEqual(seen);
    expect(await seenRunOf(db.reader, "attempt-2")).toBe(null);
    await transact(db, (trx) => forgetViewed(trx, other));
    expect(await viewedFilesOf(db.reader, "attempt-1")).toEqual([again]);
  });
});
