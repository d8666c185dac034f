import { describe, expect } from "bun:test";
import { holdLogin, loginHolds } from "../../src/storage/tables/login-holds.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { NOON } from "./sample-rows.ts";

const hold = {
  login: "claude-code:~",
  resumeAt: "2026-01-02T13:00:00.000Z",
  reason: "5-hour limit",
  createdAt: NOON,
};

describe("a login that is held", () => {
  onBothDatabases("is held until the latest of its times", async ({ db }) => {
    const longer = { ...hold, resumeAt: "2026-01-02T14:00:00.000Z", reason: "weekly limit" };
    const other = { ...hold, login: "codex:~", resumeAt: "2026-01-02T13:30:00.000Z" };
    for (const one of [hold, longer, hold, other]) await transact(db, (trx) => holdLogin(trx, one));
    expect(await loginHolds(db.reader)).toEqual([other, longer]);
  });
});
