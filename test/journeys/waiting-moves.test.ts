/** Works from two machines on one address: what waits on one of them begins on the other one, once a slot is free there. */
import { expect, setDefaultTimeout } from "bun:test";
import { httpApi } from "../helpers/http-api.ts";
import { ask, gate, PATIENCE_MS, type TaskEnd } from "../helpers/journey.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { type TeamWorld, teamWorld } from "../helpers/team-world.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const LONG = { withinMs: 120_000 };

interface Listed {
  readonly name: string;
  readonly here: boolean;
  readonly state: string;
  readonly agents: readonly string[];
}

async function workersOf({ product, there }: TeamWorld): Promise<readonly Listed[]> {
  return (await product.tazuna(["workers", "--json"], there)).json<{ workers: readonly Listed[] }>().workers;
}

/** Both machines have a slot, and know each other's agents. Names them. */
async function settled(world: TeamWorld) {
  await world.settle([1, 1]);
  await waitFor(
    "the agents to be told of",
    async () => (await workersOf(world)).every(({ agents }) => agents.includes("writer")),
    LONG,
  );
  const workers = await workersOf(world);
  const name = (here: boolean) => workers.find((one) => one.here === here)?.name ?? "";
  // They are listed by the other machine.
  return { own: name(false), other: name(true) };
}

const run = ({ product }: TeamWorld, how: object, ...args: readonly string[]) =>
  ask(product, ["run", "Change it", "--detach", ...args], how);

const shown = ({ product, there }: TeamWorld, { document }: TaskEnd) =>
  ask(product, ["show", document.task.id], there);

async function worked(world: TeamWorld, asked: TaskEnd): Promise<TaskEnd> {
  await waitFor(
    "it to have worked",
    async () => (await shown(world, asked)).run.status === "SUCCEEDED",
    LONG,
  );
  return shown(world, asked);
}

journey("what waits begins on another machine when that has a slot; what was pinned stays", async () => {
  await using world = await teamWorld();
  const { product, there } = world;
  await using here = gate(product, "here");
  await using elsewhere = gate(product, "elsewhere");
  await product.agent("slow", `${here.wait}; echo one > one.txt; echo Done.`);
  await product.agent("slower", `${elsewhere.wait}; echo two > two.txt; echo Done.`);
  await product.agent("writer", "echo three > three.txt; echo Done.");
  const { own, other } = await settled(world);
  await run(world, {}, "--agent", "slow", "--worker", own);
  await here.reached();
  const api = await httpApi(product);
  const body = { repository: product.repository, agents: ["writer"] };
  expect(await api.json("/tasks/preview", { method: "POST", body })).toMatchObject({
    worker: { name: other },
    attempts: [{ starts: "now", waits_for: null }],
  });
  // Both are full, and three runs wait here.
  await run(world, there, "--agent", "slower", "--worker", other);
  await elsewhere.reached();
  expect(await api.json("/tasks/preview", { method: "POST", body })).toMatchObject({
    worker: null,
    attempts: [{ starts: "queued", waits_for: { reason: "parallel" } }],
  });
  const pinned = await run(world, {}, "--agent", "writer", "--worker", own);
  const [first, second] = [
    await run(world, {}, "--agent", "writer"),
    await run(world, {}, "--agent", "writer"),
  ];
  expect([first.run.status, second.run.status]).toEqual(["PENDING", "PENDING"]);
  await elsewhere.open();
  const ends = [await worked(world, first), await worked(world, second)];
  for (const { attempt, run: moved } of ends) {
    expect(attempt.worker).toBeNull();
    expect(attempt.worktree.startsWith(there.env.TAZUNA_HOME ?? "")).toBe(true);
    expect(moved.notes.map(({ code }) => code)).toContain("moved_in_queue");
  }
  const began = ends.map(({ run: { started_at } }) => started_at ?? "");
  expect(began.toSorted()).toEqual(began);
  expect((await shown(world, pinned)).run.status).toBe("PENDING");
  // The machine that was asked shows where it went, and says nothing else of it.
  expect((await ask(product, ["show", first.document.task.id])).attempt.worker?.name).toBe(other);
  await here.open();
  expect((await worked(world, pinned)).attempt.worker?.name).toBe(own);
});

journey("what waits for a machine that drains, or was killed, begins on the other one", async () => {
  await using world = await teamWorld();
  const { product } = world;
  await using door = gate(product, "busy");
  await product.agent("slow", `${door.wait}; echo one > one.txt; echo Done.`);
  await product.agent("writer", "echo two > two.txt; echo Done.");
  const { own, other } = await settled(world);
  await product.tazuna(["workers", "drain", other], world.there);
  await product.tazuna(["workers", "drain", own], world.there);
  const first = await run(world, {}, "--agent", "writer");
  const state = async () => (await shown(world, first)).run;
  await waitFor("the reason to be told", async () => (await state()).waits_for?.reason === "draining", LONG);
  await product.tazuna(["workers", "resume", other], world.there);
  expect((await worked(world, first)).attempt.worker).toBeNull();

  await product.tazuna(["workers", "resume", own], world.there);
  await product.tazuna(["workers", "drain", other], world.there);
  await run(world, {}, "--agent", "slow", "--worker", own);
  await door.reached();
  const second = await run(world, {}, "--agent", "writer");
  const stays = await run(world, {}, "--agent", "writer", "--worker", own);
  await product.killEngine();
  await product.tazuna(["workers", "resume", other], world.there);
  expect((await worked(world, second)).attempt.worker).toBeNull();
  // Whoever chose it waits for it, and is told so.
  const waits = async () => (await shown(world, stays)).run.waits_for;
  await waitFor("the silence to be noticed", async () => (await waits())?.reason === "worker_silent", LONG);
  expect((await waits())?.worker).toBe(own);
  const text = (await product.tazuna(["show", stays.document.task.id], world.there)).stdout;
  expect(text).toContain(`Waits for ${own}, which is silent`);
  expect((await shown(world, stays)).run.status).toBe("PENDING");
  await door.open();
});
