/** Lets a worker renew its leases, and fail to: what keepers read, and whether git is still started for a run. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { withCheckBefore } from "../../src/git/runner/git-variants.ts";
import { EngineStopping, type ServiceContext } from "../../src/services/core/context.ts";
import { createFence } from "../../src/services/fencing/fence.ts";
import { keepLease, watchLeases } from "../../src/services/run-core/keep-lease.ts";
import { finishStep } from "../../src/services/runs/finish-step.ts";
import { openDatabase } from "../../src/storage/database.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { setDepot } from "../../src/storage/team/depot.ts";
import { transact } from "../../src/storage/transact.ts";
import { localProcesses } from "../../src/utils/exec.ts";
import { bootMs } from "../../src/utils/time/boot-time.ts";
import { newId } from "../../src/utils/values/ids.ts";
import { productGit } from "../git/scene.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { isRunning } from "../helpers/is-running.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { insertSampleRun, sampleRepository } from "../storage/sample-rows.ts";

setDefaultTimeout(180_000);

const RUN = "run-1";
const ADDRESS = "git.example/garden";

interface Setup {
  readonly leaseMs: number;
  readonly depot?: boolean;
  readonly address?: string | null;
}

/** A worker that drives one run of a repository. */
async function worker(db: Database, { leaseMs, depot = true, address = ADDRESS }: Setup) {
  const folder = await tempDir();
  const file = join(folder.path, "lease.json");
  const stop = new AbortController();
  const faults: unknown[] = [];
  const context = {
    ...{ db, owner: "worker-1", leases: new Map(), timing: { leaseMs }, engineStop: stop.signal },
    fence: createFence({ file, leaseMs }),
    reportFault: (_: string, error: unknown) => void faults.push(error),
  } as unknown as ServiceContext;
  await transact(db, async (trx) => {
    await insertSampleRun(trx);
    // An SQLite never has one.
    if (depot && db.kind === "postgres") await setDepot(trx, { kind: "elsewhere", url: "file:///depot" });
    await trx.updateTable("repositories").set({ address }).where("id", "=", sampleRepository.id).execute();
  });
  const untilOf = async (): Promise<unknown> =>
    JSON.parse(await readFile(file, "utf8")).agents_until[RUN] ?? null;
  return {
    context,
    file,
    stop,
    faults,
    untilOf,
    take: async () => {
      const lease = await keepLease(context, RUN);
      if (lease === null) throw new Error("another has the lease");
      return lease;
    },
    ownerOf: async () =>
      (await db.reader.selectFrom("runs").select("leaseOwner").where("id", "=", RUN).executeTakeFirst())
        ?.leaseOwner,
    /** As another worker does once the lease has expired. */
    takenByAnother: () =>
      transact(db, (trx) =>
        trx
          .updateTable("runs")
          .set((eb) => ({ leaseOwner: "another", leaseEpoch: eb("leaseEpoch", "+", 1) }))
          .where("id", "=", RUN)
          .execute(),
      ),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

const throws = (check: () => void) => {
  try {
    check();
    return false;
  } catch (error) {
    return error instanceof EngineStopping;
  }
};

onBothDatabases(
  "a lease that was taken is in the file for keepers before anything starts",
  async ({ db }) => {
    await using it = await worker(db, { leaseMs: 120_000 });
    const before = bootMs();
    await it.take();
    if (db.kind === "sqlite") return expect(existsSync(it.file)).toBe(false);
    const told = JSON.parse(await readFile(it.file, "utf8"));
    expect(told).toEqual({
      boot_id: await localProcesses.bootId(),
      agents_until: { [RUN]: expect.any(Number) },
    });
    expect(told.agents_until[RUN]).toBeGreaterThanOrEqual(before + 90_000);
    expect(told.agents_until[RUN]).toBeLessThanOrEqual(bootMs() + 90_000);
    expect((await stat(it.file)).mode & 0o777).toBe(0o600);
  },
);

for (const [title, setup] of [
  ["without a depot", { depot: false }],
  ["of a repository without an address", { address: null }],
] as const)
  onBothDatabases(`a run ${title} is not fenced, however late its lease is`, async ({ db }) => {
    await using it = await worker(db, { leaseMs: 1, ...setup });
    const lease = await it.take();
    const at = bootMs();
    await waitFor("the lease to be over", () => bootMs() > at + 50);
    expect([throws(lease.check), lease.lost.aborted, existsSync(it.file)]).toEqual([false, false, false]);
  });

onBothDatabases("each renewal moves the end, and git is started", async ({ db }) => {
  if (db.kind === "sqlite") return;
  await using it = await worker(db, { leaseMs: 30_000 });
  const lease = await it.take();
  const first = Number(await it.untilOf());
  const watch = watchLeases(it.context);
  try {
    await waitFor("a renewal", async () => Number(await it.untilOf()) > first + 4_000);
    expect([throws(lease.check), lease.lost.aborted, it.faults]).toEqual([false, false, []]);
  } finally {
    watch.stop();
  }
});

onBothDatabases(
  "a run that another took is fenced by the next renewal, and no keeper is told of it",
  async ({ db }) => {
    if (db.kind === "sqlite") return;
    await using it = await worker(db, { leaseMs: 30_000 });
    const lease = await it.take();
    await it.takenByAnother();
    const watch = watchLeases(it.context);
    try {
      await waitFor("the loss to be noticed", () => lease.lost.aborted);
      await waitFor("the file to leave it out", async () => (await it.untilOf()) === null);
      expect(throws(lease.check)).toBe(true);
    } finally {
      watch.stop();
    }
  },
);

onBothDatabases(
  "the end of an engine keeps the lease of a run that may move, and gives others back",
  async ({ db }) => {
    await using it = await worker(db, { leaseMs: 120_000 });
    const lease = await it.take();
    it.stop.abort();
    await lease.release();
    expect(await it.ownerOf()).toBe(db.kind === "sqlite" ? null : "worker-1");
  },
);

test("time counts from before a statement was sent, however long it takes", async () => {
  await using folder = await tempDir();
  const file = join(folder.path, "lease.json");
  const fence = createFence({ file, leaseMs: 120_000 });
  const slow = async <T>(answer: T) => {
    const at = bootMs();
    await waitFor("a moment", () => bootMs() > at + 200);
    return answer;
  };
  const untilOf = async () => JSON.parse(await readFile(file, "utf8")).agents_until[RUN];
  for (const send of [
    () => fence.take(RUN, () => slow({ mayMove: true })),
    () => fence.renew(() => slow(new Map([[RUN, { mayMove: true }]]))),
  ]) {
    const sending = send();
    const latest = bootMs() + 90_000;
    await sending;
    expect(await untilOf()).toBeLessThanOrEqual(latest);
  }
});

describe.skipIf("missing" in postgres)("a database that is away", () => {
  test(deep("lets no git be started after its time, and the worker goes on once it is back"), async () => {
    await using server = await ownPostgres();
    await using sandbox = await gitSandbox();
    await using backups = await tempDir();
    const opened = await openDatabase(
      { kind: "postgres", url: server.url, schema: "public" },
      { backupDir: backups.path, programVersion: "0.1.0" },
    );
    const db = opened._unsafeUnwrap();
    await using it = await worker(db, { leaseMs: 18_000 });
    const lease = await it.take();
    const repository = await sandbox.repository("garden");
    const target = { gitDir: join(repository, ".git"), workTree: null };
    const git = withCheckBefore(productGit(sandbox), lease.check);
    const makeRef = async (name: string) =>
      (await git.run(target, ["update-ref", `refs/heads/${name}`, "HEAD"])).isOk();
    const watch = watchLeases(it.context);
    try {
      expect(await makeRef("before")).toBe(true);
      await server.stop();
      const until = Number(await it.untilOf());
      await waitFor("the time to be over", () => it.context.fence.isOver(RUN));
      // 5/6 of a lease, of which the agents had 3/4.
      expect(bootMs()).toBeGreaterThanOrEqual(until + 1_000);
      expect(await it.untilOf()).toBe(until);
      await expect(makeRef("after")).rejects.toBeInstanceOf(EngineStopping);
      expect(lease.lost.aborted).toBe(true);
      await server.start();
      it.context.leases.delete(RUN);
      const again = await waitFor("the lease to be taken again", () => it.take().catch(() => null));
      expect(throws(again.check)).toBe(false);
      expect(await sandbox.git(repository, ["branch", "--list", "before", "after"])).toBe("  before");
    } finally {
      watch.stop();
      await db.close();
    }
  });
});

describe("a run that another worker may have by now", () => {
  test("has its processes left alone, which may be those of that worker on the same machine", async () => {
    const run = newId();
    const others = Bun.spawn(["sleep", "60"], { env: { ...process.env, TAZUNA_RUN: run } });
    const finish = (isOver: boolean) => {
      const context = { timing: { graceMs: 100 }, fence: { isOver: () => isOver } } as never;
      const world = {
        run: { id: run, phase: "agent", status: "STAGING" },
        attempt: { gitDir: null },
      } as never;
      const step = { event: "fail", failure: { code: "internal" } } as never;
      return finishStep(context, context, world, step);
    };
    await expect(finish(true)).rejects.toBeInstanceOf(EngineStopping);
    expect(isRunning(others.pid)).toBe(true);
    await finish(false).catch(() => undefined);
    await others.exited;
    expect(others.signalCode).toBe("SIGTERM");
  });
});
