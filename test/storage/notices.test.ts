/** Lets one of several workers tell a webhook of a fact, on both databases. */
import { expect } from "bun:test";
import { claimNotice, endNotice, forgetNotices } from "../../src/storage/team/notices.ts";
import { onBothDatabases } from "../helpers/databases.ts";

const HOUR = 3_600_000;

onBothDatabases("a fact is told by who claims it first, until its time is over", async ({ db, open }) => {
  const elsewhere = await open();
  const claim = (worker: string, more: { forMs?: number; hook?: string; seq?: number } = {}) =>
    claimNotice(worker === "b" ? elsewhere : db, { hook: "hook", seq: 7, forMs: HOUR, worker, ...more });
  expect(await claim("a")).toBe("mine");
  const left = await claim("b");
  if (typeof left === "string") throw new Error(left);
  expect(left.leftMs).toBeGreaterThan(HOUR - 60_000);
  // After a restart.
  expect(await claim("a", { forMs: 0 })).toBe("mine");
  expect(await claim("b")).toBe("mine");
  expect(await claim("a")).toEqual({ leftMs: expect.any(Number) });
  await endNotice(elsewhere, { hook: "hook", seq: 7 });
  expect([await claim("a"), await claim("b")]).toEqual(["over", "over"]);
  expect([await claim("a", { hook: "another" }), await claim("a", { seq: 8 })]).toEqual(["mine", "mine"]);
  await forgetNotices(db, HOUR);
  expect(await claim("b")).toBe("over");
  await forgetNotices(db, -2 * HOUR);
  expect(await claim("b")).toBe("mine");
});
