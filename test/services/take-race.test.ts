/** Lets workers take a waiting run at the moment at which its own worker begins it: exactly one of them has it. */
import { expect } from "bun:test";
import { err, ok, type Result } from "neverthrow";
import type { Repository } from "../../src/domain/repository/repository.ts";
import { PROTOCOL } from "../../src/domain/worker/protocol.ts";
import { createExecutors } from "../../src/executors/registry.ts";
import { DEFAULT_CONFIGURATION } from "../../src/services/configuration/load-configuration.ts";
import { createNotifier, type ServiceContext } from "../../src/services/core/context.ts";
import { dataPaths } from "../../src/services/core/data-paths.ts";
import { type Refusal, refuse } from "../../src/services/core/refusal.ts";
import { askAgain } from "../../src/services/moving/ask-again.ts";
import { placeWaiting } from "../../src/services/moving/place-waiting.ts";
import { takeWaiting } from "../../src/services/moving/take-waiting.ts";
import { WAITS } from "../../src/services/queue/tell-waiting.ts";
import { lookAt } from "../../src/services/requests/look-at.ts";
import { keepLease } from "../../src/services/run-core/keep-lease.ts";
import { takePostgresEngineLock } from "../../src/storage/postgres/postgres-engine-lock.ts";
import { assignRuns } from "../../src/storage/queries/rows-of-worker.ts";
import type { Database } from "../../src/storage/schema/opened-database.ts";
import { insertAttempt, repositoryOfAttempt } from "../../src/storage/tables/attempts.ts";
import { appendFact } from "../../src/storage/tables/facts.ts";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { getRun, insertRun } from "../../src/storage/tables/runs.ts";
import { insertTask } from "../../src/storage/tables/tasks.ts";
import { noteWaits } from "../../src/storage/team/waiting-runs.ts";
import { changeWorker, registerWorker } from "../../src/storage/team/workers.ts";
import { transact } from "../../src/storage/transact.ts";
import { systemClock } from "../../src/utils/time/clock.ts";
import { newId } from "../../src/utils/values/ids.ts";
import { onPostgresAlone, type TestDatabase } from "../helpers/databases.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { unfenced } from "../helpers/unfenced.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { NOON, sampleAttempt, sampleRepository, sampleRun, sampleTask } from "../storage/sample-rows.ts";

const ROUNDS = 24;
const WORKERS = ["a", "b", "c"];

function contextOf(
  db: Database,
  { owner, root, told }: { readonly owner: string; readonly root: string; readonly told: string[] },
) {
  return {
    ...{ db, owner, newId, clock: systemClock, newFacts: createNotifier(), leases: new Map() },
    ...{ timing: { leaseMs: 600_000 }, ...unfenced() },
    paths: dataPaths(root),
    ...{ drivers: new Map(), lackingClones: new Map(), clonesBeside: new Map() },
    shells: { release: (run: string) => void told.push(`released ${run}`) },
    executors: new Map(createExecutors({ selfCommand: [] }).all.map((one) => [one.id, one])),
    configuration: async () => ok(DEFAULT_CONFIGURATION),
    dispatcher: () => ({ poke: () => undefined, active: () => [] }),
    team: () => ({
      tell: async (_: unknown, worker: string, at: { readonly run: string | null }) =>
        void told.push(`${worker} ${at.run}`),
      placeSoon: async () => void told.push("place"),
    }),
  } as unknown as ServiceContext;
}

/** Three workers with a clone of one address each, whose engines hold their locks. */
async function team(on: TestDatabase, root: string) {
  const { db, target } = on;
  if (target.kind === "sqlite") throw new Error("an SQLite has one worker");
  const told: string[] = [];
  const contexts = new Map<string, ServiceContext>();
  const locks: { release(): Promise<void> }[] = [];
  for (const owner of WORKERS) {
    const taken = await takePostgresEngineLock(
      { ...target, schema: target.schema ?? "" },
      { worker: owner, onLost: () => undefined },
    );
    const lock = taken._unsafeUnwrap();
    if (typeof lock === "string") throw new Error(`the lock is held: ${lock}`);
    await lock.share();
    locks.push(lock);
    contexts.set(owner, contextOf(await on.open(), { owner, root, told }));
  }
  await transact(db, async (trx) => {
    for (const id of WORKERS) {
      await registerWorker(trx, { id, version: "1.0.0", slots: 2, host: `host-${id}` });
      await changeWorker(trx, { id, agents: ["demo"] });
      const own = { id: `repo-${id}`, path: `/home/${id}/garden`, commonDir: `/home/${id}/garden/.git` };
      await insertRepository(trx, { ...sampleRepository, ...own, address: "https://host/us/garden" }, id);
    }
    await insertTask(trx, { ...sampleTask, repositoryId: "repo-a" });
  });
  const of = (owner: string) => contexts.get(owner) as ServiceContext;
  return {
    of,
    told,
    [Symbol.asyncDispose]: async () => {
      for (const lock of locks) await lock.release();
    },
  };
}

/** Registers a test of several workers, which an SQLite never has. */
function onTeam<World extends AsyncDisposable>(
  what: string,
  make: (on: TestDatabase, root: string) => Promise<World>,
  play: (on: { readonly db: Database; readonly world: World }) => Promise<void>,
): void {
  onPostgresAlone(
    what,
    async (on) => {
      await using folder = await tempDir();
      await using world = await make(on, folder.path);
      await play({ db: on.db, world });
    },
    { timeoutMs: 180_000 },
  );
}

/** A run that waits for a slot of `a`, and that others may take. */
async function addRun(db: Database, id: string, reason = "parallel"): Promise<void> {
  await transact(db, async (trx) => {
    const own = { id: `attempt-of-${id}`, branch: `tazuna/${id}`, worktree: `/data/worktrees/${id}` };
    await insertAttempt(trx, { ...sampleAttempt, ...own, agent: "demo", executor: "demo" });
    const options = { mayMove: { model: null, refusedBy: [] } };
    await insertRun(trx, { ...sampleRun, id, attemptId: own.id, options });
    await assignRuns(trx, { ids: [id], worker: "a" });
    const ids = { taskId: "task-1", attemptId: own.id, runId: id };
    await appendFact(trx, { at: NOON, kind: WAITS, ...ids, data: { reason, limit: 2, until: null } });
    await noteWaits(trx, [id], reason);
  });
}

type Clone = () => Promise<Result<Repository, Refusal>>;

/** The same, and only `a` has a clone. `cloning` is a worker that makes its own with `shared`, and has tried none so far. */
async function uncloned(on: TestDatabase, root: string) {
  const world = await team(on, root);
  await transact(on.db, (trx) => trx.deleteFrom("repositories").where("id", "!=", "repo-a").execute());
  const cloning = (owner: string, how: { readonly shared: Clone; readonly cloneRetryMs: number }) => {
    const { shared, cloneRetryMs } = how;
    const timing = { leaseMs: 600_000, cloneRetryMs };
    const own = { locks: { shared }, tokens: [], timing, clonesBeside: new Map() };
    return { ...world.of(owner), ...own } as unknown as ServiceContext;
  };
  return { ...world, cloning };
}

const CLONE_AUTH = refuse("failed", "clone_auth", "The server let nobody in.", { remedy: "Log in." });
const LET_NOBODY_IN =
  "host-b did not take it: The server let nobody in. To do there: Log in. It is tried again by itself.";

/** Who could not clone for the run, and what its notes say. */
async function refusals(db: Database, id: string) {
  const run = await getRun(db.reader, id);
  return [run?.options.mayMove?.unclonedAt, run?.notes.map(({ message }) => message)];
}

const driverOf = async (db: Database, id: string) =>
  (await db.reader.selectFrom("runs").select("workerId").where("id", "=", id).executeTakeFirst())?.workerId;

onTeam(
  "a run that waits is begun by its worker or taken by one other, never by two of them",
  team,
  async ({ db, world }) => {
    const outcomes = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const id = `0193f2a0-7c1e-7b5a-9d3c-${String(round).padStart(12, "0")}`;
      await addRun(db, id);
      const begin = async () => keepLease(world.of("a"), id, { inTurn: true });
      const take = async (owner: string) => takeWaiting(world.of(owner), id);
      const all =
        round % 3 === 0
          ? [begin(), take("b"), take("c")]
          : round % 3 === 1
            ? [take("c"), take("b")]
            : [take("b"), take("c"), begin()];
      await Promise.all(all);
      const driver = (await driverOf(db, id)) ?? "";
      const run = await getRun(db.reader, id);
      // Whoever takes it begins it, and nobody else can.
      const began: string[] = run?.lease ? [run.lease.owner] : [];
      for (const owner of WORKERS)
        if ((await keepLease(world.of(owner), id, { inTurn: true })) !== null) began.push(owner);
      expect(began).toEqual([driver]);
      expect(await repositoryOfAttempt(db.reader, `attempt-of-${id}`)).toBe(`repo-${driver}`);
      expect(run?.notes.length).toBe(driver === "a" ? 0 : 1);
      outcomes.add(driver === "a" ? "began" : "taken");
      for (const owner of WORKERS) world.of(owner).leases.clear();
      await transact(db, (trx) =>
        trx.updateTable("runs").set({ status: "SUCCEEDED", leaseOwner: null, leaseUntil: null }).execute(),
      );
    }
    expect([...outcomes].toSorted()).toEqual(["began", "taken"]);
  },
);

onTeam(
  "what had begun and was taken over since the queue was read goes on at its new worker alone",
  team,
  async ({ db, world }) => {
    for (const phase of ["preparing", "staging"] as const) {
      await addRun(db, phase);
      // As it is at a worker that comes back, and has read its queue.
      const status = phase === "preparing" ? "PENDING" : "STAGING";
      const begun = { status, phase, startSha: "c0ffee", workerId: "b" } as const;
      await transact(db, async (trx) => {
        await trx.updateTable("runs").set(begun).where("id", "=", phase).execute();
        await trx
          .updateTable("attempts")
          .set({ workerId: "b" })
          .where("id", "=", `attempt-of-${phase}`)
          .execute();
      });
      const begin = (owner: string) => keepLease(world.of(owner), phase, { inTurn: true });
      expect([phase, await begin("a"), (await begin("b"))?.epoch]).toEqual([phase, null, 1]);
    }
  },
);

onTeam("what is to be cancelled ends at any worker", team, async ({ db, world }) => {
  await addRun(db, "1");
  await transact(db, (trx) => trx.updateTable("runs").set({ stopRequest: "cancel" }).execute());
  expect(await keepLease(world.of("b"), "1", { inTurn: true })).not.toBeNull();
});

onTeam(
  "one look tells each worker what it may take, and those whose runs wait for a limit of all",
  team,
  async ({ db, world }) => {
    for (const id of ["1", "2", "3"]) await addRun(db, id);
    await addRun(db, "4", "per_repository");
    await placeWaiting(world.of("b"));
    const drivers = () => Promise.all(["1", "2", "3", "4"].map((id) => driverOf(db, id)));
    // Two slots each, and three runs: who is told of two of them goes by chance.
    const takenBy = (await drivers()).flatMap((driver, index) => (driver === "b" ? `${index + 1}` : []));
    expect(takenBy.length).toBe(2);
    // What `b` takes, its worker is told. What is left is told to the other one that may take it.
    const left = ["1", "2", "3"].find((id) => !takenBy.includes(id));
    const toA = world.told.filter((line) => line.startsWith("a "));
    expect(toA.toSorted()).toEqual([...takenBy.map((id) => `a ${id}`), "a 4"].toSorted());
    expect(world.told).toContain(`c ${left}`);
    world.told.length = 0;
    await placeWaiting(world.of("b"));
    expect(world.told.toSorted()).toEqual(["a 4", `c ${left}`]);
    expect((await drivers()).toSorted()).toEqual(["a", "a", "b", "b"]);
  },
);

onTeam(
  "a worker whose run was taken forgets the environment of the shell that asked, also if it has begun by then",
  team,
  async ({ db, world }) => {
    await addRun(db, "1");
    const look = () => lookAt(world.of("a"), { run: "1", attempt: null });
    await look();
    expect(world.told).toEqual([]);
    await takeWaiting(world.of("b"), "1");
    expect(await keepLease(world.of("b"), "1", { inTurn: true })).not.toBeNull();
    await look();
    expect(world.told).toEqual(["a 1", "released 1"]);
  },
);

onTeam(
  "a worker that cannot begin a run refuses it once, and another one takes it",
  team,
  async ({ db, world }) => {
    await addRun(db, "1");
    const fault = { source: "config.json", message: "is no JSON" };
    const broken = { ...world.of("b"), configuration: async () => err(fault) } as unknown as ServiceContext;
    for (let n = 0; n < 2; n++) await takeWaiting(broken, "1");
    const run = await getRun(db.reader, "1");
    expect([await driverOf(db, "1"), run?.options.mayMove?.refusedBy]).toEqual(["a", ["b"]]);
    // Also once nothing is wrong there any more.
    await takeWaiting(world.of("b"), "1");
    expect(await driverOf(db, "1")).toBe("a");
    await takeWaiting(world.of("c"), "1");
    expect(await driverOf(db, "1")).toBe("c");
  },
);

onTeam(
  "where a clone is and no room, or a refusal, a worker without a clone is asked next",
  team,
  async ({ db, world }) => {
    await transact(db, (trx) => trx.deleteFrom("repositories").where("id", "=", "repo-c").execute());
    const tellAll = async () => {
      world.told.length = 0;
      await placeWaiting({ ...world.of("a"), engineStop: AbortSignal.abort() } as ServiceContext);
      return world.told.toSorted();
    };
    const { values, ...read } = DEFAULT_CONFIGURATION;
    const without = { ...read, values: { ...values, limits: { ...values.limits, parallel: 0 } } };
    const full = { ...world.of("b"), configuration: async () => ok(without) } as unknown as ServiceContext;
    const fault = { source: "config.json", message: "is no JSON" };
    const broken = { ...world.of("b"), configuration: async () => err(fault) } as unknown as ServiceContext;
    for (const [id, taker] of [
      ["1", full],
      ["2", broken],
    ] as const) {
      await addRun(db, id);
      expect(await tellAll()).toEqual([`b ${id}`]);
      world.told.length = 0;
      for (let n = 0; n < 2; n++) await takeWaiting(taker, id);
      // It is said once.
      expect([world.told, await driverOf(db, id)]).toEqual([["place"], "a"]);
      expect(await tellAll()).toContain(`c ${id}`);
      await transact(db, (trx) => trx.updateTable("runs").set({ status: "SUCCEEDED" }).execute());
    }
  },
);

onTeam(
  "a look never waits for a clone: runs that need one share it, and hear of its end once",
  uncloned,
  async ({ db, world }) => {
    const clone = Promise.withResolvers<Result<Repository, Refusal>>();
    let clones = 0;
    const shared = () => {
      clones++;
      return clone.promise;
    };
    const b = world.cloning("b", { shared, cloneRetryMs: 600_000 });
    for (const id of ["1", "2"]) await addRun(db, id);
    for (const id of ["1", "2", "1"]) await takeWaiting(b, id);
    expect([clones, await refusals(db, "1"), await driverOf(db, "1")]).toEqual([1, [undefined, []], "a"]);
    clone.resolve(err(CLONE_AUTH));
    for (const { ended } of b.clonesBeside.values()) await ended;
    const told = [["b"], [LET_NOBODY_IN]];
    expect([await refusals(db, "1"), await refusals(db, "2")]).toEqual([told, told]);
    // It is not tried again for the next one, which hears the same.
    await addRun(db, "3");
    await takeWaiting(b, "3");
    await waitFor("the refusal", async () => Bun.deepEquals(await refusals(db, "3"), told));
    expect(clones).toBe(1);
  },
);

onTeam(
  "a worker that could not clone is asked again when that is tried again, or when it has a clone",
  uncloned,
  async ({ db, world }) => {
    const addClone = () => {
      const own = { id: "repo-b", path: "/home/b/garden", commonDir: "/home/b/garden/.git" };
      const repository = { ...sampleRepository, ...own, address: "https://host/us/garden" };
      return transact(db, (trx) => insertRepository(trx, repository, "b"));
    };
    const { told } = world;
    let clones = 0;
    const shared = async () => {
      clones++;
      return err(CLONE_AUTH);
    };
    const quick = world.cloning("b", { shared, cloneRetryMs: 50 });
    await addRun(db, "1");
    for (const tries of [1, 2]) {
      told.length = 0;
      await takeWaiting(quick, "1");
      // One look is for the third worker. Nobody asks then: the run is freed, and another look is asked for.
      await waitFor("the next try", () => told.length > 1);
      const tried = [tries, ["place", "place"], [[], [LET_NOBODY_IN]]];
      expect<unknown>([clones, told, await refusals(db, "1")]).toEqual(tried);
    }
    const slow = world.cloning("b", { shared, cloneRetryMs: 600_000 });
    await takeWaiting(slow, "1");
    for (const { ended } of slow.clonesBeside.values()) await ended;
    await takeWaiting(slow, "1");
    expect<unknown>([clones, await refusals(db, "1")]).toEqual([3, [["b"], [LET_NOBODY_IN]]]);
    // Its engine begins anew.
    await askAgain(world.of("b"));
    expect((await refusals(db, "1"))[0]).toEqual([]);
    await takeWaiting(slow, "1");
    await waitFor("the refusal", async () => Bun.deepEquals((await refusals(db, "1"))[0], ["b"]));
    // A person makes a clone there.
    await addClone();
    await takeWaiting(slow, "1");
    expect([clones, await driverOf(db, "1")]).toEqual([3, "b"]);
  },
);

/** `b`, for whom `change` happens after it has looked at all, and before its transaction begins. */
function justBefore(context: ServiceContext, change: () => Promise<unknown>): ServiceContext {
  const { db } = context;
  const { queue } = db.writes;
  const run: typeof queue.run = async (act) => {
    await change();
    return queue.run(act);
  };
  const late: typeof queue = Object.assign(Object.create(queue), { run });
  return { ...context, db: { ...db, writes: { ...db.writes, queue: late } } };
}

onTeam(
  "the transaction that takes a run sees what has changed since the look at all",
  team,
  async ({ db, world }) => {
    const own = async (id: string) => {
      await addRun(db, id, "parallel");
      await transact(db, async (trx) => {
        await assignRuns(trx, { ids: [id], worker: "b" });
      });
    };
    const set = (id: string, values: Readonly<Record<string, unknown>>) =>
      transact(db, (trx) => trx.updateTable("runs").set(values).where("id", "=", id).execute());
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      held: () => set("held", { held: 1 }),
      stopped: () => set("stopped", { stopRequest: "stop" }),
      shared: () => tellWait("shared", "per_repository"),
      moved: () => set("moved", { workerId: "c" }),
      newer: () => set("newer", { needsProtocol: PROTOCOL + 1 }),
      labeled: () => setLabels('["gpu"]'),
      drains: () => drain("begin"),
      full: async () => {
        await drain("end");
        await own("own-1");
        await own("own-2");
      },
    };
    const tellWait = (id: string, reason: string) => transact(db, (trx) => noteWaits(trx, [id], reason));
    const drain = (how: "begin" | "end") =>
      transact(db, (trx) =>
        trx
          .updateTable("workers")
          .set(
            how === "begin"
              ? { drainingSince: NOON, drainUntil: "resume" }
              : { drainingSince: null, drainUntil: null },
          )
          .where("id", "=", "b")
          .execute(),
      );
    const setLabels = (onLabels: string) =>
      transact(db, (trx) => trx.updateTable("tasks").set({ onLabels }).execute());
    const drivers = new Map<string, string | null | undefined>();
    for (const [id, change] of Object.entries(changes)) {
      if (id === "full") await drain("end");
      await addRun(db, id);
      await takeWaiting(justBefore(world.of("b"), change), id);
      drivers.set(id, await driverOf(db, id));
      await set(id, { status: "SUCCEEDED" });
      await setLabels("[]");
    }
    expect(Object.fromEntries(drivers)).toEqual({
      ...{
        held: "a",
        stopped: "a",
        shared: "a",
        moved: "c",
        newer: "a",
        labeled: "a",
        drains: "a",
        full: "a",
      },
    });
    await transact(db, (trx) => trx.updateTable("runs").set({ status: "SUCCEEDED" }).execute());
    await addRun(db, "free");
    await takeWaiting(
      justBefore(world.of("b"), async () => undefined),
      "free",
    );
    expect(await driverOf(db, "free")).toBe("b");
  },
);
