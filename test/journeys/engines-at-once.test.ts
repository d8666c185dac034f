/** Works on one Postgres from two data folders at once, each with a clone of its own: a team of two machines. */
import { expect, setDefaultTimeout } from "bun:test";
import { cp, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { findMarked } from "../../src/utils/programs/process-identity.ts";
import { askingAgent } from "../helpers/asking-agent.ts";
import { ask, ending, gate, PATIENCE_MS, refused, type TaskEnd, taskEnd } from "../helpers/journey.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { twoEngines } from "../helpers/two-engines.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const idsOf = (listed: { readonly tasks: readonly { readonly id: string }[] }) =>
  listed.tasks.map(({ id }) => id).sort();

journey("each works in its own clone, and both show the work of both", async () => {
  await using world = await twoEngines();
  const { product, there, clone } = world;
  await product.agent("writer", "echo one > one.txt; echo Done.");
  await world.settle();
  const [here, other] = await Promise.all([
    ask(product, ["run", "Change it", "--agent", "writer"]),
    ask(product, ["run", "Change it there", "--agent", "writer"], there),
  ]);
  for (const { run } of [here, other])
    expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect(other.attempt.worktree.startsWith(world.home)).toBe(true);
  const all = async (how: object) => idsOf((await product.tazuna(["list", "--all", "--json"], how)).json());
  const both = [here.document.task.id, other.document.task.id].sort();
  expect([await all({}), await all(there)]).toEqual([both, both]);
  const { repositories } = (await product.tazuna(["repo", "list", "--json"], there)).json<{
    repositories: readonly { readonly path: string; readonly worker: { readonly id: string } | null }[];
  }>();
  const holders = new Map(repositories.map(({ path, worker }) => [path, worker?.id ?? null]));
  expect(holders).toEqual(
    new Map([
      [product.repository, await world.workerOf(product.home)],
      [clone, null],
    ]),
  );
  // A task begins on the machine of its repository.
  const { error } = await refused(
    product,
    ["run", "No", "--agent", "writer", "--repo", product.repository.split("/").at(-1) ?? ""],
    there,
  );
  expect([error.code, error.message]).toEqual([
    "held_elsewhere",
    expect.stringContaining(product.repository),
  ]);
  // Both clones may have one name: the own one is meant.
  const same = join(dirname(clone), "elsewhere", basename(product.repository));
  await product.sandbox.git(dirname(clone), ["clone", "--quiet", product.origin, same]);
  const named = await ask(product, ["run", "By name", "--agent", "writer", "--repo", same], there);
  expect(named.document.task.repository.path).toBe(same);
  const listed = async (how: object) =>
    idsOf((await product.tazuna(["list", "--all", "--repo", basename(same), "--json"], how)).json());
  expect([await listed({}), await listed(there)]).toEqual([
    [here.document.task.id],
    [named.document.task.id],
  ]);
});

journey("what is asked at one machine is done by the other one that holds the files", async () => {
  await using world = await twoEngines();
  const { product, there } = world;
  await using door = gate(product, "asked-elsewhere");
  await product.agent("writer", "echo one >> one.txt; echo Done.");
  await product.agent("slow", `${door.wait}; echo two >> two.txt; echo Done.`);
  await product.agent("endless", "echo three > three.txt; sleep 600");
  await world.settle();
  const detached = async (agent: string): Promise<TaskEnd> =>
    taskEnd(await product.tazuna(["run", "Change it", "--agent", agent, "--detach", "--json"]));
  const first = await ask(product, ["run", "Change it", "--agent", "writer"]);
  const slow = await detached("slow");
  const endless = await detached("endless");
  await door.reached();
  const alive = async () => (await findMarked({ name: "TAZUNA_RUN", value: endless.run.id })).length > 0;
  await waitFor("the endless one to work", alive);

  const next = await ask(product, ["continue", first.attempt.id, "Once more"], there);
  expect(ending(next.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect(next.attempt.worktree).toBe(first.attempt.worktree);
  expect(await readFile(join(first.attempt.worktree, "one.txt"), "utf8")).toBe("one\none\n");

  expect((await product.tazuna(["stop", endless.run.id], there)).code).toBe(0);
  await waitFor("its agent to be stopped", async () => !(await alive()));
  const stopped = taskEnd(await product.tazuna(["wait", endless.document.task.id, "--json"], there));
  expect(stopped.run.status).toBe("CANCELED");

  const [queued] = await Promise.all([
    product.tazuna(["continue", slow.attempt.id, "Then this", "--detach", "--json"], there),
  ]);
  expect(queued?.code).toBe(0);
  await door.open();
  const end = taskEnd(await product.tazuna(["wait", slow.document.task.id, "--json"], there));
  expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect((await product.tazuna(["cancel", first.attempt.id], there)).code).toBe(0);
  await waitFor(
    "its worktree to be put away",
    async () => !(await Bun.file(join(first.attempt.worktree, "one.txt")).exists()),
  );
});

journey(
  "a push, a question, a place in the queue and a review are taken at the other machine too",
  async () => {
    await using world = await twoEngines();
    const { product, there } = world;
    const asking = await askingAgent(product);
    await product.agent("writer", "echo one >> one.txt; echo Done.");
    await product.agent("reader", "echo '[]'");
    await world.settle();
    await product.configure({ publish: "hold" });
    const held = await ask(product, ["run", "Change it", "--agent", "writer"]);
    expect(held.run.outcome).not.toBe("pushed");
    const pushed = await ask(product, ["publish", held.attempt.id], there);
    expect([ending(pushed.run), pushed.attempt.worktree]).toEqual([
      { status: "SUCCEEDED", outcome: "pushed" },
      held.attempt.worktree,
    ]);
    await writeFile(join(held.attempt.worktree, "own.txt"), "mine\n");
    const edits = await ask(product, ["continue", held.attempt.id], there);
    expect(ending(edits.run)).toEqual({ status: "SUCCEEDED", outcome: "committed" });
    const read = await ask(product, ["review", held.attempt.id, "--agent", "reader"], there);
    expect(read.run.status).toBe("SUCCEEDED");

    const { attempt, run } = await asking.begin("ask npm install left-pad");
    const queued = await ask(product, ["continue", attempt.id, "Do this", "--detach"], there);
    const changed = await product.tazuna(["queue", attempt.id, "edit", queued.run.id, "say hello"], there);
    expect(changed.code).toBe(0);
    expect((await product.tazuna(["answer", run.id, "--deny"], there)).code).toBe(0);
    await waitFor("the agent to hear it", async () => (await asking.answers()).length > 0);
    const end = taskEnd(await product.tazuna(["wait", queued.document.task.id, "--json"], there));
    expect(end.attempt.runs.map(({ status }) => status)).toEqual(["SUCCEEDED", "SUCCEEDED"]);
    expect((await asking.prompts()).length).toBe(2);
  },
);

journey("an engine that is killed is waited for, and a copied folder is refused", async () => {
  await using world = await twoEngines();
  const { product, there, home } = world;
  await using door = gate(product, "killed-beside");
  await product.agent("slow", `${door.wait}; echo two >> two.txt; echo Done.`);
  await product.agent("writer", "echo one > one.txt; echo Done.");
  await world.settle();
  const slow = taskEnd(await product.tazuna(["run", "Change it", "--agent", "slow", "--detach", "--json"]));
  const queued = taskEnd(
    await product.tazuna(["continue", slow.attempt.id, "Then this", "--detach", "--json"]),
  );
  await door.reached();
  await product.killEngine();
  const beside = await ask(product, ["run", "Change it there", "--agent", "writer"], there);
  expect(ending(beside.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  const shown = taskEnd(await product.tazuna(["show", slow.document.task.id, "--json"], there));
  expect(shown.attempt.runs.map(({ status }) => status)).toEqual(["RUNNING", "PENDING"]);
  await door.open();
  await product.tazuna(["list"]);
  const end = taskEnd(await product.tazuna(["wait", queued.document.task.id, "--json"], there));
  expect(end.attempt.runs.map(({ status }) => status)).toEqual(["SUCCEEDED", "SUCCEEDED"]);

  const copy = join(dirname(home), "copied home");
  await cp(home, copy, {
    recursive: true,
    filter: (path) => /(other home|worker-id|config.json)$/.test(path) || path === home,
  });
  const { error } = await refused(product, ["list"], { env: { TAZUNA_HOME: copy }, cwd: world.clone });
  expect([error.code, error.remedy]).toEqual(["engine_running", expect.stringContaining("worker-id")]);
});
