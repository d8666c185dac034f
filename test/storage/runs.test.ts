import { describe, expect } from "bun:test";
import type { Run } from "../../src/domain/run/run.ts";
import { queueOfWorker } from "../../src/storage/queries/queue-of-worker.ts";
import { databaseTime } from "../../src/storage/schema/database-time.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { insertAttempt } from "../../src/storage/tables/attempts.ts";
import { holdsLease, releaseLease, renewLeases, takeLease } from "../../src/storage/tables/run-lease.ts";
import { moveRun, requestStop, updateRun } from "../../src/storage/tables/run-moves.ts";
import { getRun, insertRun, runsOfAttempt, unfinishedRuns } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, NOON, sampleAttempt, sampleRun } from "./sample-rows.ts";

const LATER = "2026-01-02T12:01:00.000Z";
const LONG_MS = 3_600_000;
const QUEUED = { status: "PENDING", phase: "queued" } as const;
const PREPARING = { status: "PENDING", phase: "preparing" } as const;
const PUSHING = { status: "PUSHING", phase: null } as const;
const FAILED = { status: "FAILED", phase: null } as const;

const queuedSample: Run = {
  id: "run-1",
  attemptId: "attempt-1",
  number: 1,
  kind: "agent",
  instruction: "Water them.",
  status: "PENDING",
  phase: "queued",
  outcome: null,
  failure: null,
  stopRequest: null,
  startSha: null,
  tree: null,
  commit: null,
  summary: null,
  usage: null,
  patch: null,
  isolation: null,
  isolationReason: null,
  notes: [],
  offline: false,
  held: false,
  options: {},
  resumeAt: null,
  createdAt: NOON,
  startedAt: null,
  agentStartedAt: null,
  endedAt: null,
  lease: null,
};

describe("a run", () => {
  onBothDatabases("is inserted queued, numbered, and read back whole", async ({ db }) => {
    const inserted = await transact(db, insertSampleRun);
    expect(inserted).toEqual(queuedSample);
    expect(await getRun(db.reader, "run-1")).toEqual(queuedSample);
    expect(await getRun(db.reader, "run-2")).toBeNull();
  });

  onBothDatabases(
    "seed 003 Overall architecture, Phase 3 and Related files: a run keeps every fact that is stored with a move: status, patch, commit",
    async ({ db }) => {
      await transact(db, insertSampleRun);
      const set = {
        instruction: "Water them; 'quoted' \\ %_ 水やり 🌱\n--flag",
        outcome: "committed",
        failure: {
          code: "push_auth",
          message: "no",
          remedy: "log in",
          details: { a: [1, null, { b: "c" }] },
        },
        startSha: "a".repeat(40),
        tree: "b".repeat(40),
        commit: "c".repeat(40),
        summary: "Watered.",
        usage: { inputTokens: 1, cachedInputTokens: 2, outputTokens: 3, costUsd: 0.25, costEstimated: true },
        patch: { files: 1, additions: 2, deletions: 3 },
        isolation: "guard",
        isolationReason: "bwrap is not installed.",
        notes: [{ code: "denied_path", message: ".env was left out", details: { path: ".env" } }],
        held: true,
        options: {
          mergeBase: true,
          fromWorktree: false,
          retryOf: "run-0",
          restarts: 2,
          budgetUsd: 1.5,
          settings: { sign: "off" },
        },
        resumeAt: LATER,
        startedAt: NOON,
        agentStartedAt: NOON,
        endedAt: LATER,
      } as const;
      const moved = await transact(db, (trx) =>
        moveRun(trx, { id: "run-1", expect: { ...QUEUED, epoch: null }, to: FAILED, set }),
      );
      expect(moved).toBe("moved");
      expect(await getRun(db.reader, "run-1")).toEqual({ ...queuedSample, ...FAILED, ...set });
    },
  );

  onBothDatabases(
    "forgets a fact that is set to null, and keeps the ones that are left out",
    async ({ db }) => {
      await transact(db, insertSampleRun);
      const update = (set: Parameters<typeof updateRun>[1]["set"]) =>
        transact(db, (trx) => updateRun(trx, { id: "run-1", expect: { epoch: null }, set }));
      await update({ resumeAt: LATER, summary: "half" });
      await update({ resumeAt: null });
      await update({});
      expect(await getRun(db.reader, "run-1")).toEqual({ ...queuedSample, summary: "half" });
    },
  );

  onBothDatabases(
    "moves only from the state that was expected, and never once it has ended",
    async ({ db }) => {
      await transact(db, insertSampleRun);
      const move = (from: Pick<Run, "status" | "phase">, to: Pick<Run, "status" | "phase">) =>
        transact(db, (trx) => moveRun(trx, { id: "run-1", expect: { ...from, epoch: null }, to }));
      expect(await move(PREPARING, PUSHING)).toBe("lost");
      expect(await move(QUEUED, PREPARING)).toBe("moved");
      expect(await move(QUEUED, PREPARING)).toBe("lost");
      expect(await move(PREPARING, PUSHING)).toBe("moved");
      expect(await move({ status: "PUSHING", phase: "queued" }, FAILED)).toBe("lost");
      expect(await move(PUSHING, FAILED)).toBe("moved");
      expect(await move(FAILED, QUEUED)).toBe("lost");
      expect(await getRun(db.reader, "run-1")).toEqual({ ...queuedSample, ...FAILED });
      expect(
        await transact(db, (trx) =>
          moveRun(trx, { id: "nobody", expect: { ...QUEUED, epoch: null }, to: FAILED }),
        ),
      ).toBe("lost");
    },
  );

  onBothDatabases("stands in the queue in the order in which it was sent", async ({ db }) => {
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await insertAttempt(trx, { ...sampleAttempt, id: "attempt-2", worktree: "/data/worktrees/2" });
      // Neither ids nor clocks that go backwards may change the order.
      await insertRun(trx, {
        ...sampleRun,
        id: "a",
        attemptId: "attempt-2",
        createdAt: "2020-01-01T00:00:00.000Z",
      });
      await insertRun(trx, { ...sampleRun, id: "Z", held: true });
      await insertRun(trx, { ...sampleRun, id: "b", attemptId: "attempt-2" });
      await moveRun(trx, { id: "run-1", expect: { ...QUEUED, epoch: null }, to: PREPARING });
      await moveRun(trx, { id: "b", expect: { ...QUEUED, epoch: null }, to: FAILED });
    });
    const ids = (runs: readonly Run[]) => runs.map(({ id, number }) => `${id}#${number}`);
    expect(ids(await unfinishedRuns(db.reader))).toEqual(["run-1#1", "a#1", "Z#2"]);
    expect(ids(await runsOfAttempt(db.reader, "attempt-2"))).toEqual(["a#1", "b#2"]);
    expect(ids(await runsOfAttempt(db.reader, "attempt-3"))).toEqual([]);
  });
});

describe("a request to stop", () => {
  onBothDatabases(
    "is kept whoever holds the lease, a cancel above a stop, and not once it has ended",
    async ({ db }) => {
      await transact(db, insertSampleRun);
      await transact(db, (trx) => takeLease(trx, { id: "run-1", owner: "engine", forMs: LONG_MS }));
      const request = (what: "stop" | "cancel") => transact(db, (trx) => requestStop(trx, "run-1", what));
      const stored = async () => (await getRun(db.reader, "run-1"))?.stopRequest;
      expect([await request("stop"), await stored()]).toEqual(["requested", "stop"]);
      expect([await request("cancel"), await stored()]).toEqual(["requested", "cancel"]);
      expect([await request("stop"), await stored()]).toEqual(["requested", "cancel"]);
      await transact(db, (trx) => moveRun(trx, { id: "run-1", expect: { ...QUEUED, epoch: 1 }, to: FAILED }));
      expect(await request("stop")).toBe("ended");
      expect(await transact(db, (trx) => requestStop(trx, "nobody", "stop"))).toBe("ended");
    },
  );
});

describe("a lease", () => {
  const take = (db: Database, owner: string, forMs = LONG_MS) =>
    transact(db, (trx) => takeLease(trx, { id: "run-1", owner, forMs }));
  const heldElsewhere = async (db: Database, owner: string) =>
    (await queueOfWorker(db.reader, { owner, worker: null })).flatMap(({ run, elsewhereForMs }) =>
      elsewhereForMs === null ? [] : run.id,
    );
  const holder = async (db: Database) => (await getRun(db.reader, "run-1"))?.lease ?? null;

  onBothDatabases("is not taken from another owner until it has expired", async ({ db }) => {
    await transact(db, insertSampleRun);
    expect(await take(db, "one")).toBe(1);
    expect(await take(db, "other")).toBeNull();
    expect(await heldElsewhere(db, "other")).toEqual(["run-1"]);
    expect(await heldElsewhere(db, "one")).toEqual([]);
    await renewLeases(db, { owner: "one", forMs: -1 });
    expect(await heldElsewhere(db, "other")).toEqual([]);
    expect(await take(db, "other")).toBe(2);
    expect(await take(db, "one")).toBeNull();
  });

  onBothDatabases("of an earlier process of the same owner is taken at once", async ({ db }) => {
    await transact(db, insertSampleRun);
    expect(await take(db, "one")).toBe(1);
    expect(await take(db, "one")).toBe(2);
  });

  onBothDatabases("lasts by the clock of the database", async ({ db }) => {
    await transact(db, insertSampleRun);
    const clock = await db.reader.selectNoFrom(databaseTime(db.reader).as("now")).executeTakeFirstOrThrow();
    await take(db, "one", 60_000);
    const until = (await holder(db))?.until ?? "";
    expect(until).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const lasts = Date.parse(until) - Date.parse(clock.now);
    expect(lasts).toBeGreaterThanOrEqual(60_000);
    expect(lasts).toBeLessThan(90_000);
  });

  onBothDatabases("fences every write of an earlier owner", async ({ db }) => {
    await transact(db, insertSampleRun);
    expect(await take(db, "old", -1)).toBe(1);
    expect(await take(db, "new")).toBe(2);
    const old = { id: "run-1", epoch: 1 };
    const outcomes = await transact(db, async (trx) => [
      await moveRun(trx, { id: "run-1", expect: { ...QUEUED, epoch: 1 }, to: PREPARING }),
      await moveRun(trx, { id: "run-1", expect: { ...QUEUED, epoch: null }, to: PREPARING }),
      await updateRun(trx, { id: "run-1", expect: { epoch: 1 }, set: { summary: "old" } }),
      await updateRun(trx, { id: "run-1", expect: { epoch: null }, set: { summary: "nobody" } }),
      await releaseLease(trx, old),
      await holdsLease(trx, old),
      await holdsLease(trx, { id: "run-1", epoch: null }),
      await holdsLease(trx, { id: "run-1", epoch: 2 }),
    ]);
    expect(outcomes).toEqual(["lost", "lost", "lost", "lost", "lost", false, false, true]);
    expect(await renewLeases(db, { owner: "old", forMs: LONG_MS })).toEqual(new Map());
    expect(await getRun(db.reader, "run-1")).toMatchObject({
      ...queuedSample,
      lease: { owner: "new", epoch: 2 },
    });
  });

  onBothDatabases(
    "is renewed and given back by its holder, who writes nothing afterwards",
    async ({ db }) => {
      await transact(db, insertSampleRun);
      await take(db, "engine", -1);
      const before = (await holder(db))?.until ?? "";
      expect(await renewLeases(db, { owner: "engine", forMs: LONG_MS })).toEqual(new Map([["run-1", 1]]));
      expect((await holder(db))?.until.localeCompare(before)).toBe(1);
      expect(await transact(db, (trx) => releaseLease(trx, { id: "run-1", epoch: 1 }))).toBe("released");
      expect(await getRun(db.reader, "run-1")).toEqual(queuedSample);
      expect(
        await transact(db, (trx) =>
          updateRun(trx, { id: "run-1", expect: { epoch: 1 }, set: { summary: "too late" } }),
        ),
      ).toBe("lost");
      expect(await take(db, "next")).toBe(2);
    },
  );

  onBothDatabases("is not given for a run that is gone or has ended", async ({ db }) => {
    await transact(db, insertSampleRun);
    await transact(db, (trx) =>
      moveRun(trx, { id: "run-1", expect: { ...QUEUED, epoch: null }, to: FAILED }),
    );
    expect(await take(db, "engine")).toBeNull();
    expect(
      await transact(db, (trx) => takeLease(trx, { id: "nobody", owner: "engine", forMs: 1 })),
    ).toBeNull();
  });
});
