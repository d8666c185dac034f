/** Lets a task begin only on a machine that has its labels: two engines on one Postgres (ADR 0102). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { httpApi } from "../helpers/http-api.ts";
import { ask, PATIENCE_MS, refused, type TaskEnd } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { type TeamWorld, teamWorld } from "../helpers/team-world.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

interface Listed {
  readonly name: string;
  readonly here: boolean;
  readonly agents: readonly string[];
  readonly labels: readonly string[];
}

async function workers({ product }: TeamWorld): Promise<readonly Listed[]> {
  return (await product.tazuna(["workers", "--json"])).json<{ workers: readonly Listed[] }>().workers;
}

/** The other machine serves, with these further words, until the test stops it. */
async function serveThere({ product, there }: TeamWorld, ...words: readonly string[]) {
  const server = product.start(["serve", "--port", "0", ...words], there);
  await waitFor("the other machine to serve", () => server.printed().includes("Tazuna serves"), {
    instead: () => server.printed(),
  });
  return async () => {
    server.kill("SIGTERM");
    await server.end;
  };
}

const worked = (world: TeamWorld, asked: TaskEnd) =>
  waitFor("it to have worked", async () => {
    const shown = await ask(world.product, ["show", asked.document.task.id]);
    return shown.run.status === "SUCCEEDED" ? shown : null;
  });

journey("a task waits for a label that nobody has, and begins where it is", async () => {
  await using world = await teamWorld();
  const { product, there } = world;
  await product.agent("writer", "echo one > one.txt; echo Done.");
  await world.settle();
  await product.tazuna(["engine", "stop"], there);
  const asked = await ask(product, [
    "run",
    "Change it",
    "--agent",
    "writer",
    "--on-label",
    "gpu",
    "--detach",
  ]);
  const waiting = await waitFor("it to say what it waits for", async () => {
    const { run } = await ask(product, ["show", asked.document.task.id]);
    return run.waits_for === null ? null : run;
  });
  expect(waiting).toMatchObject({ status: "PENDING", waits_for: { reason: "labels", labels: ["gpu"] } });
  expect((await product.tazuna(["list"])).stdout).toContain("Waits for a worker with gpu");
  const api = await httpApi(product);
  const body = { repository: product.repository, agents: ["writer"], on_labels: ["gpu"] };
  expect(await api.json("/tasks/preview", { method: "POST", body })).toMatchObject({
    worker: null,
    attempts: [{ starts: "queued", waits_for: { reason: "labels" } }],
  });

  const stop = await serveThere(world, "--label", "gpu", "--label", "os=linux");
  const moved = await worked(world, asked);
  expect(moved.attempt.worktree.startsWith(there.env.TAZUNA_HOME ?? "")).toBe(true);
  expect(moved.run.notes.map(({ code }) => code)).toContain("moved_in_queue");
  expect((await workers(world)).map(({ here, labels }) => [here, labels])).toEqual([
    [true, []],
    [false, ["gpu", "os=linux"]],
  ]);
  expect((await product.tazuna(["workers"])).stdout).toContain("gpu, os=linux");
  // Now it is known where the label is.
  const next = await ask(product, ["run", "Change it", "--agent", "writer", "--on-label", "gpu", "--detach"]);
  const end = await worked(world, next);
  expect(end.attempt.worktree.startsWith(there.env.TAZUNA_HOME ?? "")).toBe(true);
  expect(end.run.notes.map(({ code }) => code)).not.toContain("moved_in_queue");
  const other = (await workers(world)).find(({ here }) => !here)?.name ?? "";
  const unfit = ["run", "Change it", "--agent", "writer", "--on-label", "mac", "--worker", other];
  expect((await refused(product, unfit)).error).toMatchObject({
    code: "worker_unfit",
    message: expect.stringContaining("lacks a label"),
  });

  // They hold over a start, until others are said.
  await stop();
  await (await serveThere(world))();
  expect((await workers(world)).find(({ here }) => !here)?.labels).toEqual(["gpu", "os=linux"]);
  await (await serveThere(world, "--label", "none"))();
  expect((await workers(world)).find(({ here }) => !here)?.labels).toEqual([]);
});

test("a Tazuna that works alone knows no labels, and words that are none are refused", async () => {
  await using product = await startProduct();
  await product.agent("writer", "echo one > one.txt");
  const asked = ["run", "Change it", "--agent", "writer", "--on-label", "gpu"];
  expect((await refused(product, asked)).error).toMatchObject({
    code: "worker_unfit",
    remedy: expect.stringContaining("--on-label"),
  });
  const serve = ["serve", "--port", "0", "--label"];
  await product.tazuna(["engine", "stop"]);
  expect((await refused(product, [...serve, "gpu"])).error.message).toContain("--label needs a Postgres");
  expect((await refused(product, [...serve, "two words"])).error.message).toContain("is no label");
  expect((await refused(product, [...asked.slice(0, -1), "two words"])).error.message).toContain(
    "is no label",
  );
});
