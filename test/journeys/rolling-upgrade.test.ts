/** Upgrades two engines on one Postgres one after the other, to a made-up next version, while their agents work. */
import { expect, setDefaultTimeout } from "bun:test";
import { dirname, join } from "node:path";
import type { WorkerDocument } from "../../src/contract/endpoints/engine.ts";
import { ask, gate, PATIENCE_MS, type TaskEnd, taskEnd } from "../helpers/journey.ts";
import { NEXT_VERSION, nextVersion } from "../helpers/next-version.ts";
import type { Product, RunOptions } from "../helpers/product.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { twoEngines } from "../helpers/two-engines.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const LONG = { withinMs: 120_000 };

const shown = async (product: Product, { document }: TaskEnd, how: RunOptions) =>
  taskEnd(await product.tazuna(["show", document.task.id, "--json"], how));

/** Its latest run. */
const runOf = async (product: Product, asked: TaskEnd, how: RunOptions) =>
  (await shown(product, asked, how)).attempt.runs.at(-1);

const succeeded = (product: Product, asked: TaskEnd, how: RunOptions) =>
  waitFor("it to have worked", async () => (await runOf(product, asked, how))?.status === "SUCCEEDED", LONG);

async function workersOf(product: Product, how: RunOptions): Promise<readonly WorkerDocument[]> {
  return (await product.tazuna(["workers", "--json"], how)).json<{ workers: readonly WorkerDocument[] }>()
    .workers;
}

/** The engine of a data folder ends, and one of another version begins. */
async function upgrade(product: Product, how: RunOptions, bin?: string): Promise<void> {
  expect((await product.tazuna(["engine", "stop"], how)).code).toBe(0);
  const { bin: _, ...same } = how;
  const { code, stderr } = await product.tazuna(["list"], bin === undefined ? same : { ...same, bin });
  if (code !== 0) throw new Error(stderr);
}

journey("two versions work together until both are new, and an older one gets nothing newer", async () => {
  await using world = await twoEngines();
  const { product, there } = world;
  await using here = gate(product, "here");
  await using elsewhere = gate(product, "elsewhere");
  await product.agent("slow", `${here.wait}; echo one > one.txt; echo Done.`);
  await product.agent("slower", `${elsewhere.wait}; echo two > two.txt; echo Done.`);
  await product.agent("writer", "echo three >> three.txt; echo Done.");
  await world.settle();
  const bin = await nextVersion(join(dirname(product.home), "next"));
  const slow = await ask(product, ["run", "Change it", "--agent", "slow", "--detach"]);
  const slower = await ask(product, ["run", "Change it", "--agent", "slower", "--detach"], there);
  const held = await ask(product, ["run", "Change it", "--agent", "writer"], there);
  await here.reached();
  await elsewhere.reached();

  const next = { bin };
  await upgrade(product, {}, bin);
  const [own, other] = await workersOf(product, next);
  expect([own?.version, own?.older, other?.older]).toEqual([NEXT_VERSION, false, true]);
  expect(other?.state).toBe("ready");
  // What the older one is asked, it does, on tables that were added to.
  const older = await ask(product, ["run", "Change it", "--agent", "writer"], there);
  expect(older.run.status).toBe("SUCCEEDED");
  // The newer one does what it makes, and the older one waits with what it does not know.
  expect((await ask(product, ["run", "Change it", "--agent", "writer"], next)).run.status).toBe("SUCCEEDED");
  const asked = await product.tazuna(["continue", held.attempt.id, "More", "--detach", "--json"], next);
  expect([asked.code, asked.stderr]).toEqual([0, ""]);
  const waits = async () => (await runOf(product, held, next))?.waits_for ?? null;
  await waitFor("the reason to be told", async () => (await waits())?.reason === "worker_older", LONG);
  expect((await waits())?.worker).toBe(other?.name);
  await here.open();
  await succeeded(product, slow, next);

  await upgrade(product, there, bin);
  const nextThere = { ...there, bin };
  await succeeded(product, held, nextThere);
  await elsewhere.open();
  await succeeded(product, slower, nextThere);
  expect((await workersOf(product, next)).map(({ version, older }) => [version, older])).toEqual([
    [NEXT_VERSION, false],
    [NEXT_VERSION, false],
  ]);
  // One of them goes back: it works on tables that were only added to.
  await upgrade(product, nextThere);
  expect((await workersOf(product, next)).map(({ older }) => older)).toEqual([false, true]);
  expect((await ask(product, ["run", "Change it", "--agent", "writer"], there)).run.status).toBe("SUCCEEDED");
});

journey(
  "an older engine that removes a newer worker ends its runs, also those that it does not know",
  async () => {
    await using world = await twoEngines();
    const { product, there } = world;
    await using door = gate(product, "newer");
    await product.agent("slow", `${door.wait}; echo one > one.txt; echo Done.`);
    await world.settle();
    const bin = await nextVersion(join(dirname(product.home), "next"));
    await upgrade(product, {}, bin);
    const newer = await ask(product, ["run", "Change it", "--agent", "slow", "--detach"], { bin });
    await door.reached();
    const lost = (await workersOf(product, { bin })).find(({ here }) => here);
    await product.killEngine();
    const removed = await product.tazuna(["workers", "remove", lost?.name ?? "", "--yes"], there);
    expect([removed.code, removed.stderr]).toEqual([0, ""]);
    const run = await runOf(product, newer, there);
    expect([run?.status, run?.failure?.code]).toEqual(["FAILED", "interrupted"]);
    await door.open();
  },
);
