import { describe, expect } from "bun:test";
import {
  getPullRequest,
  pagePullRequests,
  pullRequestOf,
  savePullRequest,
  watchedPullRequests,
} from "../../src/storage/tables/pull-requests.ts";
import { transact } from "../../src/storage/transact.ts";
import { aCheck, aHanded, aThread, aTracked } from "../domain/pull-request/sample-tracked.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON } from "./sample-rows.ts";

describe("pull requests", () => {
  onBothDatabases("seed 003 Pull request: are saved whole, one for each attempt", async ({ db }) => {
    const first = aTracked({
      number: null,
      url: null,
      state: null,
      head: { branch: "tazuna/水", sha: null },
      wanted: { title: "t", body: "b", draft: true, given: { title: true, body: false }, after: null },
      lookedAt: null,
    });
    const full = aTracked({
      mergeable: false,
      mergeBlock: "dirty",
      mergeCommit: "c".repeat(40),
      checks: [aCheck("test")],
      threads: [aThread("t", ["Why?"])],
      wrote: { made: true, title: "h", body: null },
      handed: [aHanded({ checks: ["test"] })],
      trouble: { code: "rate_limited", message: "Later.", at: NOON, resumeAt: NOON, times: 0 },
    });
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await savePullRequest(trx, first);
    });
    expect(await pullRequestOf(db.reader, "attempt-1")).toEqual(first);
    await transact(db, (trx) => savePullRequest(trx, full));
    expect(await getPullRequest(db.reader, "pr-1")).toEqual(full);
    expect(await pagePullRequests(db.reader, { cursor: null, limit: 5 })).toEqual({
      items: [full],
      next: null,
    });
  });

  onBothDatabases("that ended are not looked at any more", async ({ db }) => {
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await savePullRequest(trx, aTracked());
    });
    expect(await watchedPullRequests(db.reader)).toHaveLength(1);
    await transact(db, (trx) => savePullRequest(trx, aTracked({ state: "merged", lookAt: null })));
    expect(await watchedPullRequests(db.reader)).toEqual([]);
    expect(await getPullRequest(db.reader, "pr-2")).toBeNull();
  });
});
