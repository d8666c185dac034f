/** Works from two machines on clones of one address: for people they are one repository. */
import { expect, setDefaultTimeout } from "bun:test";
import { dirname, join } from "node:path";
import { Client } from "pg";
import {
  ask,
  branchAt,
  ending,
  gate,
  PATIENCE_MS,
  refused,
  type TaskEnd,
  taskEnd,
} from "../helpers/journey.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { type TeamWorld, teamWorld } from "../helpers/team-world.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

interface Listed {
  readonly path: string;
  readonly address: string | null;
  readonly worker: { readonly name: string } | null;
}

async function listed({ product }: TeamWorld, how: object): Promise<readonly Listed[]> {
  return (await product.tazuna(["repo", "list", "--json"], how)).json<{ repositories: readonly Listed[] }>()
    .repositories;
}

interface Worker {
  readonly name: string;
  readonly agents: readonly string[];
}

/** The one that is asked first. */
async function workersOf({ product }: TeamWorld, how: object): Promise<readonly Worker[]> {
  return (await product.tazuna(["workers", "--json"], how)).json<{ workers: readonly Worker[] }>().workers;
}

journey("clones of one address are shown once with their workers, and so are their tasks", async () => {
  await using world = await teamWorld();
  const { product, there, url } = world;
  await product.agent("writer", "echo one > one.txt; echo Done.");
  await world.settle();
  const { repositories } = { repositories: await listed(world, there) };
  expect(repositories.map(({ path, address }) => [path, address])).toEqual([
    [product.repository, url],
    [there.cwd, url],
  ]);
  const name = repositories[0]?.worker?.name ?? "";
  const text = (await product.tazuna(["repo", "list"], there)).stdout;
  expect(text).not.toContain(product.repository);
  expect(text).toContain(`here, ${name}`);
  const { run, document } = await ask(product, ["run", "Change it", "--agent", "writer"]);
  expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  for (const named of [[], ["--repo", url], ["--repo", "other clone"]])
    expect((await product.tazuna(["list", ...named, "--json"], there)).json()).toMatchObject({
      tasks: [{ id: document.task.id }],
    });
});

journey(
  "an address that changed, or that an earlier program did not know, is read at the start",
  async () => {
    await using world = await teamWorld();
    const { product, url, there } = world;
    await world.settle();
    await product.tazuna(["engine", "stop"]);
    const client = new Client({ connectionString: world.database });
    await client.connect();
    await client.query("update repositories set address = null");
    await client.end();
    expect((await listed(world, there)).map(({ address }) => address)).toEqual([null, null]);
    await product.tazuna(["list"]);
    const own = async () => (await listed(world, {})).find(({ worker }) => worker === null)?.address;
    await waitFor("the address to be read", async () => (await own()) === url, { withinMs: 120_000 });
    await product.sandbox.git(product.repository, ["remote", "set-url", "origin", "/srv/only-here.git"]);
    await product.tazuna(["repo", "add", "."]);
    expect(await own()).toBeNull();
  },
);

/** The workers of the attempts that a command began; null for the one that was asked. */
const began = ({ attempts }: TaskEnd) => attempts.map(({ worker }) => worker?.name ?? null);

journey("a task that would wait begins at once on the worker with a free slot", async () => {
  await using world = await teamWorld();
  const { product, there } = world;
  await using door = gate(product, "placed");
  await product.agent("slow", `${door.wait}; echo one > one.txt; echo Done.`);
  await product.agent("writer", "echo two > two.txt; echo Done.");
  await world.settle([1, 2]);
  const [own] = await workersOf(world, {});
  const other = (await workersOf(world, {}))[1];
  await waitFor(
    "the agents to be told of",
    async () => ((await workersOf(world, {}))[1]?.agents.length ?? 0) > 1,
  );
  const run = (how: object, ...args: readonly string[]) =>
    ask(product, ["run", "Change it", "--detach", ...args], how);
  const first = await run({}, "--agent", "slow");
  expect(began(first)).toEqual([null]);
  await door.reached();
  // Here is no slot: it works there, in the clone there, while the first one still waits.
  const placed = await ask(product, ["run", "Change it", "--agent", "writer"]);
  expect([began(placed), ending(placed.run)]).toEqual([
    [other?.name ?? ""],
    { status: "SUCCEEDED", outcome: "pushed" },
  ]);
  expect(placed.attempt.worktree.startsWith(there.env.TAZUNA_HOME ?? "")).toBe(true);
  expect(await branchAt(product, product.origin, placed.attempt.branch)).toBe(placed.run.commit);
  expect(placed.document.task.repository.path).toBe(there.cwd);
  // Nothing is said of other workers by the one that holds it.
  expect(began(await ask(product, ["show", placed.document.task.id], there))).toEqual([null]);

  // A base that was not pushed is only here.
  await product.sandbox.git(product.repository, ["branch", "unpushed"]);
  const staying: readonly (readonly string[])[] = [
    ["--base", "unpushed"],
    ["--from-worktree"],
    ["--worker", own?.name ?? ""],
  ];
  for (const args of staying) expect(began(await run({}, "--agent", "writer", ...args))).toEqual([null]);
  // The whole id of a pushed commit is known there too.
  const main = await product.sandbox.git(product.repository, ["rev-parse", "main"]);
  const byId = await ask(product, ["run", "Change it", "--agent", "writer", "--base", main]);
  expect([began(byId), byId.run.status]).toEqual([[other?.name ?? ""], "SUCCEEDED"]);
  // Three attempts have no room there at once. They wait here, and go there one by one.
  const three = await run({}, ...["writer", "writer", "writer"].flatMap((agent) => ["--agent", agent]));
  await product.tazuna(["wait", three.document.task.id]);
  const moved = await ask(product, ["show", three.document.task.id]);
  expect(began(moved)).toEqual(Array(3).fill(other?.name));
  await door.open();
});

journey(
  "without a clone here it begins elsewhere, even if it waits; a person may choose the worker",
  async () => {
    await using world = await teamWorld();
    const { product, url, there } = world;
    await using door = gate(product, "full");
    await product.agent("slow", `${door.wait}; echo one > one.txt; echo Done.`);
    await product.agent("writer", "echo two > two.txt; echo Done.");
    await world.settle([1, 1]);
    const other = (await workersOf(world, {}))[1]?.name;
    const run = (how: object, ...args: readonly string[]) =>
      ask(product, ["run", "Change it", "--detach", "--agent", "writer", ...args], how);
    const chosen = await run({}, "--worker", other ?? "");
    expect(began(chosen)).toEqual([other ?? ""]);
    await product.tazuna(["wait", chosen.document.task.id]);
    // Now both are full.
    const slow = ["run", "Change it", "--agent", "slow", "--detach"];
    await ask(product, [...slow, "--worker", other ?? ""]);
    await door.reached();
    await ask(product, slow);
    const waits = await run({});
    expect([began(waits), waits.run.status]).toEqual([[null], "PENDING"]);
    // A third machine has no clone, and makes none.
    const third = {
      env: { TAZUNA_HOME: join(dirname(product.home), "third home") },
      cwd: dirname(product.home),
    };
    try {
      const elsewhere = await run(third, "--repo", url);
      expect(began(elsewhere)).toEqual([other ?? ""]);
      expect((await listed(world, third)).every(({ worker }) => worker !== null)).toBe(true);
      await door.open();
      const end = taskEnd(await product.tazuna(["wait", elsewhere.document.task.id, "--json"], third));
      expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    } finally {
      await product.tazuna(["engine", "stop"], third);
    }
    await product.tazuna(["engine", "stop"], there);
    const choose = async (name: string) =>
      (await refused(product, ["run", "Change it", "--agent", "writer", "--worker", name])).error.code;
    expect([await choose(other ?? ""), await choose("nobody")]).toEqual(["worker_unfit", "not_found"]);
  },
);
