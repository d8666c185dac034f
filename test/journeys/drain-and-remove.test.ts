/** Drains, resumes and removes workers of one Postgres, with runs that go on, that wait, and that were begun there. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TeamActDocument } from "../../src/contract/endpoints/access.ts";
import type { WorkerDocument } from "../../src/contract/endpoints/engine.ts";
import type { Actor } from "../../src/domain/actor.ts";
import { findMarked } from "../../src/utils/programs/process-identity.ts";
import { http } from "../helpers/http.ts";
import { ask, ending, exists, gate, PATIENCE_MS, refused, taskEnd, written } from "../helpers/journey.ts";
import { isRunning, type Product, type RunOptions, startProduct } from "../helpers/product.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { twoEngines } from "../helpers/two-engines.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PATIENT = { withinMs: 120_000 };

async function workersOf(product: Product, how: RunOptions): Promise<readonly WorkerDocument[]> {
  const { code, stdout } = await product.tazuna(["workers", "--json"], how);
  expect(code).toBe(0);
  return JSON.parse(stdout).workers;
}

/** The one that is asked. */
async function workerAt(product: Product, how: RunOptions): Promise<WorkerDocument> {
  const own = (await workersOf(product, how)).find(({ here }) => here);
  if (own === undefined) throw new Error("it is not in its own list");
  return own;
}

const shown = async (product: Product, id: string, how: RunOptions = {}) =>
  taskEnd(await product.tazuna(["show", id, "--json"], how));

const waitsForDrain = (product: Product, id: string, how: RunOptions = {}) =>
  waitFor(
    "the run to wait for the drain",
    async () => {
      const { run } = await shown(product, id, how);
      return run.status === "PENDING" && run.waits_for?.reason === "draining";
    },
    PATIENT,
  );

journey("a worker that drains begins nothing, also after a restart, until it is resumed", async () => {
  await using world = await twoEngines();
  const { product, there } = world;
  await using door = gate(product, "drained");
  await product.agent("slow", `${door.wait}; echo two >> two.txt; echo Done.`);
  await product.agent("writer", "echo one >> one.txt; echo Done.");
  await world.settle();
  const slow = await ask(product, ["run", "Change it", "--agent", "slow", "--detach"]);
  await door.reached();
  const { name, id } = await workerAt(product, {});

  const drained = await product.tazuna(["workers", "drain", name], there);
  expect([drained.code, drained.stdout]).toEqual([0, expect.stringContaining("1 run goes on")]);
  const first = await ask(product, ["run", "Wait", "--agent", "writer", "--detach"]);
  await waitsForDrain(product, first.document.task.id);
  expect((await product.tazuna(["show", first.document.task.id])).stdout).toContain("its worker drains");
  const listed = await product.tazuna(["workers"], there);
  expect(listed.stdout).toContain("draining, 1 run");
  // What is asked at the other one for files that lie there waits as well.
  const next = await ask(product, ["continue", slow.attempt.id, "Then this", "--detach"], there);
  await door.open();
  const ended = async () => (await shown(product, slow.document.task.id)).attempt.runs[0]?.status;
  await waitFor("the run that went on to end", async () => (await ended()) === "SUCCEEDED", PATIENT);
  await waitsForDrain(product, next.document.task.id, there);
  const { drain } = await workerAt(product, {});
  expect(drain?.runs).toBe(0);
  // Asked again, it answers the same.
  const again = await product.tazuna(["workers", "drain", id, "--json"], there);
  expect(again.json<WorkerDocument>().drain).toEqual(drain);

  const before = (await workerAt(product, {})).started_at;
  await product.killEngine();
  await waitFor(
    "the engine to be there again",
    async () => (await workerAt(product, {})).started_at > before,
    PATIENT,
  );
  const second = await ask(product, ["run", "Wait too", "--agent", "writer", "--detach"]);
  await waitsForDrain(product, second.document.task.id);
  expect((await shown(product, first.document.task.id)).run.status).toBe("PENDING");
  expect((await workerAt(product, {})).drain).toEqual(drain);

  expect((await product.tazuna(["workers", "resume", name], there)).code).toBe(0);
  for (const { document } of [first, next, second]) {
    const { run } = taskEnd(await product.tazuna(["wait", document.task.id, "--json"], there));
    expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  }
  expect((await workerAt(product, {})).drain).toBeNull();
  const owner: Actor = { kind: "owner", id: null, name: (await workerAt(product, there)).name };
  expect(await actsOn(product, id)).toEqual([
    ["worker_resumed", name, owner],
    ["worker_drained", name, owner],
    ["worker_drained", name, owner],
  ]);
});

/** What was done to a worker, the newest first. */
async function actsOn(product: Product, id: string): Promise<unknown> {
  const { acts } = (await product.tazuna(["activity", "--team", "--json"])).json<{
    acts: readonly TeamActDocument[];
  }>();
  return acts.filter(({ subject }) => subject === id).map(({ kind, name, actor }) => [kind, name, actor]);
}

journey("what still goes on at the time limit of a drain is stopped, also by the next engine", async () => {
  await using world = await twoEngines();
  const { product, there } = world;
  const started = join(product.home, "started");
  await product.agent("endless", `echo three > three.txt; echo yes > '${started}'; sleep 600`);
  await world.settle();
  const endless = await ask(product, ["run", "Change it", "--agent", "endless", "--detach"]);
  await written(started);
  const alive = async () => (await findMarked({ name: "TAZUNA_RUN", value: endless.run.id })).length > 0;
  const { name } = await workerAt(product, {});
  const bad = await product.tazuna(["workers", "drain", name, "--within", "soon"], there);
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("90s, 30m, 2h or 1d")]);

  const drained = await product.tazuna(["workers", "drain", name, "--within", "6s", "--json"], there);
  expect(drained.json<WorkerDocument>().drain).toMatchObject({
    runs: 1,
    stops_at: expect.any(String),
    by: { kind: "owner", id: null, name: (await workerAt(product, there)).name },
  });
  await product.killEngine();
  await workerAt(product, {});
  const { run, attempt } = taskEnd(await product.tazuna(["wait", endless.document.task.id, "--json"], there));
  expect(run.status).toBe("CANCELED");
  await waitFor("its agent to be gone", async () => !(await alive()), PATIENT);
  expect(await readFile(join(attempt.worktree, "three.txt"), "utf8")).toBe("three\n");
});

journey(
  "a worker that is gone is removed: its runs end, its attempts go on, its return is refused",
  async () => {
    await using world = await twoEngines();
    const { product, there, home } = world;
    await using door = gate(product, "removed");
    await product.agent("slow", `${door.wait}; echo two >> two.txt; echo Done.`);
    await product.agent("writer", "echo one >> one.txt; echo Done.");
    await world.settle();
    const done = await ask(product, ["run", "Change it", "--agent", "writer"], there);
    const canceled = await ask(product, ["run", "Change it", "--agent", "writer"], there);
    const kept = await ask(product, ["run", "Change it", "--agent", "writer"], there);
    const slow = await ask(product, ["run", "Change it", "--agent", "slow", "--detach"], there);
    const queued = await ask(product, ["continue", slow.attempt.id, "Then this", "--detach"], there);
    await door.reached();
    const { name, id } = await workerAt(product, there);

    const works = await refused(product, ["workers", "remove", name, "--yes"]);
    expect([works.error.code, works.error.remedy]).toEqual([
      "worker_works",
      expect.stringContaining(`workers drain ${name}`),
    ]);
    const unknown = await refused(product, ["workers", "drain", "nobody"]);
    expect([unknown.error.code, unknown.error.remedy]).toEqual([
      "not_found",
      expect.stringContaining("tazuna workers"),
    ]);
    process.kill(await enginePid(home), "SIGKILL");
    // The command would wait for the clean-up.
    const { status } = await http(product, `POST /attempts/${canceled.attempt.id}/cancel`);
    expect(status).toBe(200);
    const asked = await product.tazuna(["workers", "remove", name]);
    expect([asked.code, asked.stdout]).toEqual([1, expect.stringContaining("Nothing was removed")]);
    await waitFor(
      "Postgres to see that it is gone",
      async () => (await product.tazuna(["workers", "remove", name, "--yes"])).code === 0,
      PATIENT,
    );
    const { attempt } = await shown(product, slow.document.task.id);
    expect(attempt.runs.map(({ failure }) => failure?.code)).toEqual(["interrupted", "interrupted"]);
    expect(attempt.runs[0]?.failure?.remedy).toContain("tazuna continue");
    expect([attempt.worker, queued.run.id]).toEqual([{ id, name }, attempt.runs[1]?.id ?? ""]);
    expect((await workersOf(product, {})).map((worker) => worker.id)).not.toContain(id);
    const owner: Actor = { kind: "owner", id: null, name: (await workerAt(product, {})).name };
    expect(await actsOn(product, id)).toEqual([["worker_removed", name, owner]]);
    // Nobody cleans up there any more, whether it was cancelled before or is now.
    const stateOf = async (end: typeof kept) => (await shown(product, end.document.task.id)).attempt.state;
    expect(await stateOf(canceled)).toBe("removed");
    const restored = await refused(product, ["restore", kept.run.id]);
    expect([restored.error.code, restored.error.remedy]).toEqual([
      "held_elsewhere",
      expect.stringContaining("tazuna continue"),
    ]);
    expect((await product.tazuna(["cancel", kept.attempt.id])).code).toBe(0);
    await waitFor("it to be put away", async () => (await stateOf(kept)) === "removed", PATIENT);
    // Both share one repository here, and git has a branch checked out only once.
    await product.sandbox.git(done.attempt.worktree, ["switch", "--quiet", "--detach"]);
    const on = await ask(product, ["continue", done.attempt.id, "Once more"]);
    expect(ending(on.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(on.attempt.worktree.startsWith(product.home)).toBe(true);

    const back = await refused(product, ["list"], there);
    expect([back.error.code, back.error.remedy]).toEqual([
      "worker_removed",
      expect.stringContaining("worker-id"),
    ]);
    await door.open();
    await rm(join(home, "worker-id"));
    const anew = await workerAt(product, there);
    expect([anew.name, anew.id === id, anew.drain]).toEqual([name, false, null]);
    const begun = await ask(product, ["run", "Begin anew", "--agent", "writer"], there);
    expect(ending(begun.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });

    // One that is there, and drained, ends by itself.
    const pid = await enginePid(home);
    expect((await product.tazuna(["workers", "drain", name])).stdout).toContain("is drained");
    expect((await product.tazuna(["workers", "remove", name, "--yes"])).code).toBe(0);
    await waitFor("its engine to end", () => !isRunning(pid), PATIENT);
    expect((await refused(product, ["list"], there)).error.code).toBe("worker_removed");
    expect(await exists(begun.attempt.worktree)).toBe(true);
  },
);

test("a Tazuna on SQLite has no workers to drain, and says what to do", async () => {
  await using product = await startProduct();
  for (const words of [["drain"], ["resume"], ["remove", "--yes"]]) {
    const [act = "", ...flags] = words;
    const { error } = await refused(product, ["workers", act, "mac-7", ...flags]);
    expect([error.code, error.remedy]).toEqual([
      "database_not_shared",
      expect.stringContaining("engine stop"),
    ]);
  }
});

async function enginePid(home: string): Promise<number> {
  return JSON.parse(await readFile(join(home, "server.json"), "utf8")).pid;
}
