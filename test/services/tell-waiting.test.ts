/** Tells that what a queued run waits for becomes a fact once, and again when it is something else. */
import { expect } from "bun:test";
import { type QueuedRun, scheduleRuns } from "../../src/domain/run/scheduling.ts";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { createWaitingTeller } from "../../src/services/queue/tell-waiting.ts";
import { factsAfter } from "../../src/storage/tables/facts.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { insertSampleRun, sampleAttempt } from "../storage/sample-rows.ts";

const run: QueuedRun = {
  id: "run-1",
  attemptId: sampleAttempt.id,
  repositoryId: "repo-1",
  repositoryKey: "/repo/.git",
  login: "claude",
  begun: false,
  held: false,
};
const nothing = {
  beginsNothing: null,
  active: [],
  elsewhere: [],
  busyAttempts: new Set<string>(),
  heldLogins: new Map(),
};
const waitingFor = ({ parallel = 8, diskBelowFloor = false }) =>
  scheduleRuns({ ...nothing, diskBelowFloor, queued: [run] }, () => ({
    parallel,
    perRepository: 8,
    perLogin: 4,
  })).waiting;
const slot = waitingFor({ parallel: 0 });
const disk = waitingFor({ diskBelowFloor: true });

onBothDatabases(
  "a run that goes on waiting for the same is told once; another reason, or another stay in the queue, is news",
  async ({ db }) => {
    await transact(db, insertSampleRun);
    const newFacts = createNotifier();
    let rung = 0;
    newFacts.subscribe(() => {
      rung += 1;
    });
    const tell = createWaitingTeller({ db, newFacts, clock: systemClock } as unknown as ServiceContext);
    for (const waiting of [slot, slot, disk, [], disk, disk]) await tell(waiting);
    const facts = await factsAfter(db.reader, 0, 100);
    const { id, taskId } = sampleAttempt;
    expect(
      facts.map(({ kind, runId, attemptId, taskId, data }) => [kind, runId, attemptId, taskId, data.reason]),
    ).toEqual([
      ["run.waits", "run-1", id, taskId, "parallel"],
      ["run.waits", "run-1", id, taskId, "disk"],
      ["run.waits", "run-1", id, taskId, "disk"],
    ]);
    expect(rung).toBe(3);
  },
);
