/** Works on one Postgres from one data folder after the other: each leaves alone what the other one holds. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Client } from "pg";
import type { WorkerDocument } from "../../src/contract/endpoints/engine.ts";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import type { FindingDocument } from "../../src/contract/endpoints/repositories.ts";
import type { AttemptAlone } from "../../src/contract/task-document.ts";
import { findMarked } from "../../src/utils/programs/process-identity.ts";
import { ask, ending, exists, gate, PATIENCE_MS, refused, taskEnd } from "../helpers/journey.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** One repository and one Postgres, with a data folder `product.home` and another one, at `there`. */
async function twoFolders(timing: Readonly<Record<string, number>> = {}) {
  const server = await ownPostgres();
  const product = await startProduct({ env: { TAZUNA_DATABASE: server.url }, timing });
  const home = join(dirname(product.home), "other home");
  const there = { env: { TAZUNA_HOME: home } };
  const db = new Client({ connectionString: server.url });
  await db.connect();
  return {
    product,
    there,
    home,
    db,
    /** With the same agents. */
    settle: async () => {
      await mkdir(home, { mode: 0o700, recursive: true });
      await cp(join(product.home, "config.json"), join(home, "config.json"));
    },
    leave: () => product.tazuna(["engine", "stop"], there),
    workerOf: async (folder: string) => (await readFile(join(folder, "worker-id"), "utf8")).trim(),
    [Symbol.asyncDispose]: async () => {
      await product.tazuna(["engine", "stop"], there);
      await db.end();
      await product[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function nameOf(db: Client, worker: string): Promise<string> {
  return (await db.query("select name from workers where id = $1", [worker])).rows[0]?.name;
}

/** All that the database knows of a worker, as text. */
async function rowsOf(db: Client, worker: string): Promise<string> {
  const all: unknown[] = [];
  for (const table of ["operations", "attempts"])
    all.push((await db.query(`select * from ${table} where worker_id = $1 order by id`, [worker])).rows);
  return JSON.stringify(all, null, 1);
}

const findings = async (product: Product, how: { readonly env: Readonly<Record<string, string>> }) =>
  (await product.tazuna(["doctor", "--json"], how))
    .json<{ findings: readonly FindingDocument[] }>()
    .findings.filter(
      ({ id }) => !/^(agent|isolation|engine|database|repository|data_folder|git|remotes)/.test(id),
    )
    .filter(({ level }) => level !== "ok")
    .map(({ id, what }) => `${id} ${what}`);

const HERE = { env: {} };

journey("a start ends nothing that another folder had begun, and acts on its files are refused", async () => {
  await using world = await twoFolders();
  const { product, there, db } = world;
  await product.agent("writer", "echo one > one.txt; echo Done.");
  const run = () => ask(product, ["run", "Change it", "--agent", "writer"]);
  const [cut, canceled, kept] = [await run(), await run(), await run()];
  await writeFile(join(cut.attempt.worktree, "one.txt"), "edited\n");
  const { operations } = (await product.tazuna(["activity", kept.attempt.id, "--json"])).json<{
    operations: readonly OperationDocument[];
  }>();
  const commit = operations.find(({ kind }) => kind === "commit")?.id ?? "";
  await product.killEngine();
  const reached = join(dirname(product.home), "reached");
  const canceling = product.start(["cancel", cut.attempt.id, "--json"], {
    env: { TAZUNA_FAILPOINT: `after:trash@${reached}@SIGSTOP` },
  });
  await waitFor("the engine to be held in the middle of it", () => existsSync(reached));
  canceling.kill("SIGKILL");
  await product.killEngine();

  await world.settle();
  const mine = await world.workerOf(product.home);
  const before = await rowsOf(db, mine);
  expect(before).toContain('"status": "intended"');
  await product.tazuna(["list", "--json"], there);
  expect(await rowsOf(db, mine)).toBe(before);
  expect((await db.query("select 1 from operations where worker_id is null")).rowCount).toBe(0);
  expect(await findings(product, there)).toEqual([]);
  const json = async <T>(args: readonly string[]) =>
    (await product.tazuna([...args, "--json"], there)).json<T>();
  expect<unknown>([
    await json(["clean", "--yes"]),
    await json(["trash", "list"]),
    await json(["trash", "empty", "--yes"]),
  ]).toEqual([{ removed: [], kept: [] }, { entries: [] }, { removed: [], kept: [] }]);
  const named = await json<{ kept: readonly { reason: string }[] }>(["clean", kept.attempt.id, "--yes"]);
  const name = await nameOf(db, mine);
  const where = `lies on another worker, ${name}.`;
  expect(named.kept.map(({ reason }) => reason)).toEqual([expect.stringContaining(where)]);
  for (const args of [
    ["undo", commit],
    ["restore", kept.run.id],
    ["continue", kept.attempt.id],
    ["review", kept.attempt.id, "--agent", "writer"],
  ]) {
    const { error } = await refused(product, args, there);
    expect<unknown>([args[0], error.code, error.details]).toEqual([
      args[0],
      "held_elsewhere",
      { attempt: kept.attempt.id, worker: mine },
    ]);
    expect(error.message).toContain(where);
    expect(error.remedy).toContain("TAZUNA_HOME");
  }
  expect(await rowsOf(db, mine)).toBe(before);
  expect((await product.tazuna(["diff", kept.attempt.id], there)).stdout).toContain("+one");

  // A cancel is taken at once, and its owner cleans up.
  const { error: cancelled } = await refused(product, ["cancel", canceled.attempt.id], there);
  expect([cancelled.code, cancelled.message]).toEqual([
    "not_cleaned_up",
    expect.stringContaining(`its files lie on another worker, ${name}, which does it at`),
  ]);
  const stateOf = async (id: string) =>
    (await db.query("select state from attempts where id = $1", [id])).rows[0]?.state;
  expect([await stateOf(canceled.attempt.id), await exists(canceled.attempt.worktree)]).toEqual([
    "canceled",
    true,
  ]);
  await world.leave();

  await product.tazuna(["list", "--json"]);
  expect([await stateOf(cut.attempt.id), await stateOf(canceled.attempt.id)]).toEqual(["removed", "removed"]);
  expect(await exists(canceled.attempt.worktree)).toBe(false);
  expect((await readdir(join(product.home, "trash"))).sort()).toEqual(
    [cut.attempt.id, canceled.attempt.id].sort(),
  );
  expect((await db.query("select 1 from operations where status = 'intended'")).rowCount).toBe(0);
  expect((await product.tazuna(["trash", "restore", cut.attempt.id])).code).toBe(0);
  expect(await readFile(join(cut.attempt.worktree, "one.txt"), "utf8")).toBe("edited\n");
  await product.tazuna(["cancel", cut.attempt.id]);
  await waitFor("it to be in the trash", async () => (await stateOf(cut.attempt.id)) === "removed");
  await product.killEngine();
  expect((await refused(product, ["trash", "restore", cut.attempt.id], there)).error.code).toBe(
    "held_elsewhere",
  );
});

journey("another folder goes on from the branch in a worktree of its own, not with what works", async () => {
  await using world = await twoFolders({ leaseMs: 1_000 });
  const { product, there, db } = world;
  await using door = gate(product, "elsewhere");
  await product.agent("writer", "echo one >> one.txt; echo Done.");
  await product.agent("slow", `${door.wait}; echo two > two.txt; echo Done.`);
  await product.agent("endless", "echo three > three.txt; sleep 600");
  const first = await ask(product, ["run", "Change it", "--agent", "writer"]);
  const working = taskEnd(
    await product.tazuna(["run", "Change it", "--agent", "slow", "--detach", "--json"]),
  );
  const unwanted = taskEnd(
    await product.tazuna(["run", "Change it", "--agent", "endless", "--detach", "--json"]),
  );
  await waitFor("both to work", async () => exists(join(unwanted.attempt.worktree, "three.txt")));
  await door.reached();
  await product.killEngine();
  // Both folders share one repository here, and git has a branch checked out only once.
  await product.sandbox.git(first.attempt.worktree, ["switch", "--quiet", "--detach"]);
  await writeFile(join(first.attempt.worktree, "own.txt"), "mine\n");

  await world.settle();
  const next = await ask(product, ["continue", first.attempt.id, "Once more"], there);
  expect(ending(next.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect(next.attempt.worktree).toBe(first.attempt.worktree.replace(product.home, world.home));
  expect(await readFile(join(next.attempt.worktree, "one.txt"), "utf8")).toBe("one\none\n");
  expect(await readdir(first.attempt.worktree)).toContain("own.txt");
  const stands = async () =>
    (await db.query("select status, lease_epoch, stop_request from runs where id = $1", [working.run.id]))
      .rows;
  expect(await stands()).toEqual([{ status: "RUNNING", lease_epoch: 1, stop_request: null }]);
  expect((await findMarked({ name: "TAZUNA_RUN", value: working.run.id })).length).toBeGreaterThan(0);
  for (const id of [working.run.id, working.attempt.id, working.document.task.id])
    expect((await refused(product, ["stop", id], there)).error.code).toBe("held_elsewhere");
  expect(await stands()).toEqual([{ status: "RUNNING", lease_epoch: 1, stop_request: null }]);
  const { error } = await refused(product, ["cancel", unwanted.attempt.id], there);
  expect(error.code).toBe("not_cleaned_up");
  expect(await exists(join(unwanted.attempt.worktree, "three.txt"))).toBe(true);
  expect(await findings(product, there)).toEqual([]);
  await world.leave();

  await door.open();
  const end = taskEnd(await product.tazuna(["wait", working.document.task.id, "--json"]));
  expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  const name = first.attempt.worktree.slice(first.attempt.worktree.lastIndexOf("/") + 1);
  const short = first.attempt.id.slice(0, 8);
  expect(await findings(product, HERE)).toEqual([
    `worktrees:${name} Attempt ${short} was here, and goes on in another data folder.`,
  ]);
  expect((await refused(product, ["restore", first.run.id])).error.code).toBe("held_elsewhere");
  expect([
    await exists(unwanted.attempt.worktree),
    await readFile(join(product.home, "trash", unwanted.attempt.id, "three.txt"), "utf8"),
    await findMarked({ name: "TAZUNA_RUN", value: unwanted.run.id }),
  ]).toEqual([false, "three\n", []]);
  expect(await readdir(first.attempt.worktree)).toContain("own.txt");
});

journey(
  "in a clone of its own another folder fetches the branch, and misses no snapshot of the first",
  async () => {
    await using world = await twoFolders();
    const { product, there } = world;
    await product.agent("writer", "echo one >> one.txt; echo Done.");
    const first = await ask(product, ["run", "Change it", "--agent", "writer"]);
    // A restore takes a snapshot, which only the first repository has.
    await product.tazuna(["cancel", first.attempt.id]);
    await product.tazuna(["trash", "restore", first.attempt.id]);
    await product.killEngine();
    await rename(product.repository, `${product.repository} there`);
    const beside = dirname(product.repository);
    await product.sandbox.git(beside, [
      "clone",
      "--quiet",
      "--single-branch",
      product.origin,
      product.repository,
    ]);
    await world.settle();
    expect(await findings(product, there)).toEqual([]);
    const next = await ask(product, ["continue", first.attempt.id, "Once more"], there);
    expect([ending(next.run), next.attempt.branch]).toEqual([
      { status: "SUCCEEDED", outcome: "pushed" },
      first.attempt.branch,
    ]);
    expect(await readFile(join(next.attempt.worktree, "one.txt"), "utf8")).toBe("one\none\n");
    expect(await findings(product, there)).toEqual([]);
  },
);

/** Every kind of operation that a person is told of. */
async function allKinds(): Promise<readonly string[]> {
  const words = join(import.meta.dir, "../../web/src/i18n/engine/activity-words.ts");
  const found = (await readFile(words, "utf8")).matchAll(/\bkind_([a-z_]+):/g);
  return [...new Set([...found].map(([, kind = ""]) => kind))].sort();
}

journey(
  "a start, a clean-up and a look leave acts of every kind alone that another folder has begun",
  async () => {
    await using world = await twoFolders();
    const { product, there, db } = world;
    await product.agent("writer", "echo one > one.txt; echo Done.");
    const { attempt, run, document } = await ask(product, ["run", "Change it", "--agent", "writer"]);
    const mine = await world.workerOf(product.home);
    await product.killEngine();
    await world.settle();
    const kinds = await allKinds();
    expect(kinds.length).toBeGreaterThan(40);
    const subjects = [
      ["attempt", attempt.id],
      ["run", run.id],
      ["repository", document.task.repository.id],
    ];
    // All places are where the second folder would look for its own.
    const places = Object.fromEntries(
      ["path", "trash", "aside"].map((key) => [
        key,
        join(world.home, key === "path" ? "worktrees" : "trash", key),
      ]),
    );
    for (const folder of [
      "worktrees/path",
      "worktrees/aside.moved",
      "trash/trash",
      "trash/aside",
      "trash/purge-x",
    ])
      await mkdir(join(world.home, folder), { recursive: true });
    for (const [index, kind] of kinds.entries())
      for (const status of ["intended", "done", "failed"])
        for (const [type, id] of subjects)
          await db.query(
            `insert into operations (id, kind, subject_type, subject_id, before_state, after_state, status, undoable, at, ended_at, worker_id)
           values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10)`,
            [
              `${kind}-${status}-${type}`,
              kind,
              type,
              id,
              JSON.stringify({
                ...places,
                aside: join(world.home, "trash/purge-x"),
                run: run.id,
                entry: `${index}`,
              }),
              status === "done" ? JSON.stringify({ path: places.trash }) : null,
              status,
              "2026-01-02T12:00:00.000Z",
              status === "intended" ? null : "2026-01-02T12:00:00.000Z",
              mine,
            ],
          );
    const before = await rowsOf(db, mine);
    const onDisk = async () =>
      (await readdir(world.home, { recursive: true }))
        .filter((name) => /^(worktrees|trash)\//.test(name))
        .sort();
    const files = await onDisk();
    await product.tazuna(["list", "--json"], there);
    await product.tazuna(["doctor", "--json"], there);
    await product.tazuna(["clean", "--yes", "--json"], there);
    await product.tazuna(["trash", "empty", "--yes", "--json"], there);
    expect(await rowsOf(db, mine)).toBe(before);
    expect(await onDisk()).toEqual(files);
    const asked = kinds.filter((kind) => kind !== "choose").map((kind) => `${kind}-done-attempt`);
    const codes = await Promise.all(
      asked.map(async (id) => (await refused(product, ["undo", id], there)).error.code),
    );
    expect([...new Set(codes)]).toEqual(["held_elsewhere"]);
  },
);

interface Shown {
  readonly workers: readonly WorkerDocument[];
}

journey("workers are listed by name, and what another one holds says on which it is", async () => {
  await using world = await twoFolders();
  const { product, there, db } = world;
  await product.agent("writer", "echo one > one.txt; echo Done.");
  const { attempt, document } = await ask(product, ["run", "Change it", "--agent", "writer"]);
  const workers = async (how = {}) =>
    (await product.tazuna(["workers", "--json"], how)).json<Shown>().workers;
  await waitFor("its agents to be told", async () => (await workers())[0]?.agents.includes("writer"));
  const mine = await world.workerOf(product.home);
  const name = await nameOf(db, mine);
  expect(await workers()).toEqual([
    expect.objectContaining({ id: mine, name, state: "ready", here: true, pinned: 1 }),
  ]);
  expect((await ask(product, ["show", document.task.id])).attempt.worker).toBeNull();
  await product.tazuna(["engine", "stop"]);

  await world.settle();
  const [own, other] = await workers(there);
  expect([own, other]).toEqual([
    expect.objectContaining({
      id: await world.workerOf(world.home),
      name: `${name}-2`,
      here: true,
      pinned: 0,
    }),
    expect.objectContaining({ id: mine, name, state: "stopped", here: false, pinned: 1 }),
  ]);
  const shown = await product.tazuna(["show", attempt.id, "--json"], there);
  expect(shown.json<AttemptAlone>().worker).toEqual({ id: mine, name });
  expect((await product.tazuna(["show", attempt.id], there)).stdout).toContain(`Worker       ${name}\n`);
  expect((await product.tazuna(["list"], there)).stdout).toContain(`writer on ${name}`);
  const { error } = await refused(product, ["restore", attempt.runs[0]?.id ?? ""], there);
  expect(error.message).toContain(`lies on another worker, ${name}.`);

  // One that lost its power says nothing, and is seen no more.
  await db.query("update workers set state = 'ready', seen_at = '2026-01-02T12:00:00.000Z' where id = $1", [
    mine,
  ]);
  const { stdout } = await product.tazuna(["workers"], there);
  const [head = "", first = "", second = ""] = stdout.split("\n");
  expect(head).toMatch(/^NAME +STATE +SLOTS +AGENTS +VERSION +SEEN$/);
  expect(first).toMatch(new RegExp(`^${name}-2 \\* +ready +0/\\d+ `));
  expect(second).toMatch(new RegExp(`^${name} +silent, 1 pinned +0/\\d+ .* \\d+ d$`));
});

test(deep("an engine on SQLite works alone, and says how to begin as a team"), async () => {
  await using product = await startProduct();
  expect((await product.tazuna(["workers", "--json"])).json<Shown>()).toEqual({ workers: [] });
  expect((await product.tazuna(["workers"])).stdout).toContain("tazuna serve --database postgres://");
});
