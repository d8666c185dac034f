/** Lets another request be faster than one to publish: what it changed counts, and the slower one is refused. */
import { expect } from "bun:test";
import { tmpdir } from "node:os";
import type { Allowance } from "../../src/domain/publish/allowance.ts";
import { createGit } from "../../src/git/runner/run-git.ts";
import { noteMerged } from "../../src/services/attempts/note-merged.ts";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { publishAttempt } from "../../src/services/requests/publish-attempt.ts";
import { takeBack } from "../../src/services/requests/take-back.ts";
import { operationsOfKinds } from "../../src/storage/queries/find-operations.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import type { WriteTransaction } from "../../src/storage/schema/schema.ts";
import { getAttempt, updateAttempt } from "../../src/storage/tables/attempts.ts";
import { moveRun, updateRun } from "../../src/storage/tables/run-moves.ts";
import { insertRun, runsOfAttempt } from "../../src/storage/tables/runs.ts";
import { transact } from "../../src/storage/transact.ts";
import { createKeyedLock } from "../../src/utils/locks/keyed-lock.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { settlesWithin } from "../../src/utils/time/waiting.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { insertSampleRun, sampleRun } from "../storage/sample-rows.ts";

const ATTEMPT = sampleRun.attemptId;
const PUBLISH = {
  ...{ attempt: ATTEMPT, allow: [], reason: null, leaveOut: [], anotherBranch: false },
  settings: {},
};

/** `meanwhile` is asked for when the run is about to be stored, and so it is stored before the run. */
function contextOf(db: Database, meanwhile: () => Promise<unknown>) {
  const other = { done: Promise.resolve<unknown>(undefined) };
  const context = {
    db,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    owner: "worker-1",
    newFacts: createNotifier(),
    dispatcher: () => ({ poke: () => undefined }),
    shells: { bindToRun: () => undefined, release: () => undefined },
    shell: null,
    attemptLock: createKeyedLock(),
    git: createGit({
      binary: "git",
      env: { PATH: process.env.PATH ?? "" },
      timeoutMs: 10_000,
      scratch: tmpdir(),
    }),
    failpoint: (name: string) => {
      if (name === "create:run") other.done = meanwhile();
    },
  } as unknown as ServiceContext;
  return { context, other };
}

/** The check of the commit failed, a person allowed it, and the push of that came to nothing. */
async function insertAllowed(trx: WriteTransaction): Promise<Allowance> {
  await insertSampleRun(trx);
  const allowance = { by: "Ann <ann@x>", reason: "Known", findings: [], checks: ["lint"] };
  await insertRun(trx, { ...sampleRun, id: "run-2", kind: "publish", options: { allowance } });
  await fail(trx, RED);
  await fail(trx, { id: "run-2", code: "push_rejected", details: {}, commit: null });
  return allowance;
}

const RED = { id: "run-1", code: "check_failed", details: { checks: [{ name: "lint" }] }, commit: "c0ffee" };

async function fail(
  trx: WriteTransaction,
  {
    id,
    commit,
    ...failed
  }: Omit<typeof RED, "commit" | "details"> & { commit: string | null; details: object },
): Promise<void> {
  const failure = { message: "It failed.", remedy: "Try again.", ...failed };
  await moveRun(trx, {
    id,
    expect: { status: "PENDING", phase: "queued", epoch: null },
    to: { status: "FAILED", phase: null },
    set: { commit, endedAt: systemClock.iso(), failure: failure as never },
  });
}

onBothDatabases("what is taken back meanwhile is not published", async ({ db }) => {
  const allowance = await transact(db, insertAllowed);
  const takenBack = [{ name: "check:lint", by: null, at: systemClock.iso() }];
  const options = { allowance: { ...allowance, takenBack } };
  const { context, other } = contextOf(db, () =>
    transact(db, (trx) => updateRun(trx, { id: "run-2", expect: { epoch: null }, set: { options } })),
  );
  const added = await publishAttempt(context, PUBLISH, null);
  await other.done;
  expect(added._unsafeUnwrapErr().code).toBe("check_failed");
});

onBothDatabases("of two requests to publish, one adds a run", async ({ db }) => {
  await transact(db, insertAllowed);
  const second = contextOf(db, async () => {});
  const first = contextOf(db, () =>
    transact(db, (trx) => insertRun(trx, { ...sampleRun, id: "run-3", kind: "publish" })),
  );
  const added = await publishAttempt(first.context, PUBLISH, null);
  await first.other.done;
  expect(added._unsafeUnwrapErr().code).toBe("run_not_ended");
  expect((await publishAttempt(second.context, PUBLISH, null))._unsafeUnwrapErr().code).toBe("run_not_ended");
});

onBothDatabases("what a merge in progress makes use of is not taken back", async ({ db }) => {
  await transact(db, insertAllowed);
  const { context } = contextOf(db, async () => {});
  const asked = Promise.withResolvers<void>();
  const merge = context.attemptLock.run(ATTEMPT, async () => {
    await asked.promise;
    const attempt = await getAttempt(db.reader, ATTEMPT);
    const at = systemClock.iso();
    const merged = {
      at,
      commit: "c0ffee",
      tip: "c0ffee",
      target: "main",
      before: null,
      by: "tazuna",
    } as const;
    if (attempt !== null) await transact(db, (trx) => noteMerged(trx, attempt, { at, merged }));
  });
  const taken = takeBack(context, { attempt: ATTEMPT, allow: ["check:lint"], leaveOut: [] });
  const isAtOnce = await settlesWithin(100, taken);
  asked.resolve();
  await merge;
  expect([isAtOnce, (await taken)._unsafeUnwrapErr().code]).toEqual([false, "nothing_to_take_back"]);
});

onBothDatabases(
  "what a person allows is in the journal together with the run, also if the engine is killed",
  async ({ db }) => {
    await using folder = await tempDir();
    Bun.spawnSync(["git", "init", "--quiet", folder.path]);
    await transact(db, async (trx) => {
      await insertSampleRun(trx);
      await fail(trx, RED);
      const set = { gitDir: `${folder.path}/.git`, worktree: folder.path };
      await updateAttempt(trx, { id: ATTEMPT, set });
    });
    const { context } = contextOf(db, async () => {});
    const killed = {
      ...context,
      failpoint: (name: string) => {
        if (name.startsWith("created:")) throw new Error("killed");
      },
    };
    const allow = { ...PUBLISH, allow: ["check:lint"], reason: "Known" };
    await expect((async () => publishAttempt(killed, allow, null))()).rejects.toThrow("killed");
    const [run] = (await runsOfAttempt(db.reader, ATTEMPT)).slice(-1);
    const acts = await operationsOfKinds(db.reader, ["allow"], sampleRun.id);
    expect(run?.kind).toBe("publish");
    expect(acts.map(({ status, after }) => [status, after?.run])).toEqual([["done", run?.id]]);
  },
);
