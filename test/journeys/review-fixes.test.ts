/** Tells what a reviewer found broken, each as the person meets it. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, noteCodes, PATIENCE_MS, taskEnd } from "../helpers/journey.ts";
import { IN_TEAM, onSqlite } from "../helpers/own-schema.ts";
import { postgres, postgresUrl } from "../helpers/postgres-server.ts";
import { isRunning, type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const shared = "a Postgres is worked on by one engine for each worker, also if its folder was copied";

test.skipIf("missing" in postgres)(
  deep("missing" in postgres ? `${shared} (skipped: ${postgres.missing})` : shared),
  async () => {
    await using product = await startProduct();
    const database = `engine_lock_${process.pid}_${Date.now()}`;
    const admin = new Bun.SQL(await postgresUrl());
    await admin.unsafe(`create database ${database}`);
    await admin.close();
    const TAZUNA_DATABASE = (await postgresUrl()).replace("/postgres?", `/${database}?`);
    const first = { TAZUNA_DATABASE };
    const second = { TAZUNA_DATABASE, TAZUNA_HOME: join(product.home, "../second") };
    expect((await product.tazuna(["list"], { env: first })).code).toBe(0);
    await mkdir(second.TAZUNA_HOME, { mode: 0o700 });
    await copyFile(join(product.home, "worker-id"), join(second.TAZUNA_HOME, "worker-id"));
    const served = await product.tazuna(["serve", "--json", "--port", "0"], { env: second });
    expect({ code: served.code, error: served.json<{ error: { code: string } }>().error.code }).toEqual({
      code: 1,
      error: "engine_running",
    });
    const listed = await product.tazuna(["list", "--json"], { env: second });
    expect({ code: listed.code, error: listed.json<{ error: { code: string } }>().error.code }).toEqual({
      code: 1,
      error: "engine_running",
    });
    await product.killEngine();
    const next = await product.tazuna(["list"], { env: second });
    expect({ code: next.code, stderr: next.stderr }).toEqual({ code: 0, stderr: "" });
    const { pid } = JSON.parse(await readFile(join(second.TAZUNA_HOME, "server.json"), "utf8"));
    process.kill(pid, "SIGTERM");
    await waitFor("its engine to be gone", () => !isRunning(pid));
  },
);

/** Waits for the process id that a script wrote, and for its end once the engine was told to stop. */
async function stopEngineWhile(product: Product, pidFile: string): Promise<void> {
  const pid = async () => Number(await readFile(pidFile, "utf8").catch(() => "0"));
  await waitFor("the script to work", async () => (await pid()) > 0);
  const engine = await product.enginePid();
  if (engine === null) throw new Error("no engine works");
  process.kill(engine, "SIGTERM");
  await waitFor("the engine to be gone", () => !isRunning(engine));
  expect(isRunning(await pid())).toBe(false);
}

for (const kind of ["setup", "check", "hook"] as const)
  test(`a ${kind} at work is stopped with its engine, and done by the next engine`, async () => {
    await using product = await startProduct();
    const once = join(product.home, "../once");
    const script = `if [ -e '${once}' ]; then exit 0; fi; echo $$ > '${once}'; exec sleep 600`;
    await product.agent("writer", "echo one > one.txt");
    if (kind === "setup") await product.configure({ setup: [script] });
    if (kind === "check") await product.configure({ checks: [{ name: "slow", run: script }] });
    if (kind === "hook") {
      await product.configure({ hooks: "run" });
      const hook = join(product.repository, ".git/hooks/pre-commit");
      await writeFile(hook, `#!/bin/sh\n${script}\n`);
      await chmod(hook, 0o755);
    }
    const started = product.start(["run", "Write", "--agent", "writer", "--json"]);
    await stopEngineWhile(product, once);
    const end = await started.end;
    await product.tazuna(["list"]);
    const [task] = (await product.tazuna(["list", "--json"])).json<{ tasks: { id: string }[] }>().tasks;
    const shown = await product.tazuna(["wait", task?.id ?? "", "--json"]);
    expect({ ...ending(taskEnd(shown).run), first: end.code }).toMatchObject({
      status: "SUCCEEDED",
      outcome: "pushed",
    });
  });

test(
  deep("Tazuna's own branches are no foreign moves for another checkout of the same repository"),
  async () => {
    await using product = await startProduct();
    const linked = join(product.repository, "../linked");
    await product.sandbox.git(product.repository, ["worktree", "add", "--quiet", linked]);
    const seen = join(product.home, "../seen");
    await product.agent(
      "patient",
      `echo > '${seen}'; while [ ! -e '${seen}.go' ]; do sleep 0.1; done; echo x > x`,
    );
    await product.agent("writer", "echo one > one.txt");
    const patient = product.start(["run", "Wait", "--agent", "patient", "--json"]);
    await waitFor("the agent to work", () =>
      readFile(seen).then(
        () => true,
        () => false,
      ),
    );
    const other = await ask(product, ["run", "Write", "--agent", "writer"], { cwd: linked });
    expect(ending(other.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    await writeFile(`${seen}.go`, "");
    const { run } = taskEnd(await patient.end);
    expect({ ...ending(run), notes: noteCodes(run) }).toEqual({
      status: "SUCCEEDED",
      outcome: "pushed",
      notes: [],
    });
  },
);

test.skipIf(IN_TEAM)(
  onSqlite(deep("a database that another program holds for a while fails no turn of an agent")),
  async () => {
    await using product = await startProduct({ timing: { actionFactMs: 0 } });
    const seen = join(product.home, "../seen");
    await product.agent(
      "talker",
      `echo Begun; echo > '${seen}'; while [ ! -e '${seen}.go' ]; do echo Working; sleep 0.5; done; echo x > x; sleep 1`,
    );
    const talking = product.start(["run", "Talk", "--agent", "talker", "--json"]);
    await waitFor("the agent to work", () => exists(seen));
    const holder = Bun.spawn(
      [process.execPath, "-e", HOLD, join(product.home, "tazuna.db"), `${seen}.held`, `${seen}.free`],
      { stdout: "ignore", stderr: "inherit", env: { PATH: process.env.PATH } },
    );
    await waitFor("the database to be held", () => exists(`${seen}.held`));
    const log = () => readFile(join(product.home, "server.log"), "utf8");
    await waitFor("a write to fail", async () => (await log()).includes("following run"), {
      withinMs: 120_000,
    });
    await writeFile(`${seen}.go`, "");
    await writeFile(`${seen}.free`, "");
    await holder.exited;
    const { run } = taskEnd(await talking.end);
    expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  },
);

/** Another program's transaction, for as long as no file says that it is over. */
const HOLD = `
  const { Database } = require("bun:sqlite");
  const { existsSync, writeFileSync } = require("node:fs");
  const [file, held, free] = process.argv.slice(1);
  const db = new Database(file);
  db.run("pragma busy_timeout = 20000");
  db.run("begin immediate");
  writeFileSync(held, "");
  const timer = setInterval(() => {
    if (!existsSync(free)) return;
    clearInterval(timer);
    db.run("rollback");
    db.close();
  }, 50);
`;

test(deep("a repository that was moved and then registered anew is one again"), async () => {
  await using product = await startProduct();
  await product.agent("writer", "echo one >> one.txt");
  const first = await ask(product, ["run", "Write", "--agent", "writer"]);
  const moved = join(product.home, "../moved");
  await rename(product.repository, moved);
  const lost = await ask(product, ["continue", first.attempt.id, "Again"], { cwd: moved });
  expect(ending(lost.run)).toEqual({ status: "FAILED", outcome: null, failure: "worktree_lost" });
  const remedy = lost.run.failure?.remedy ?? "";
  const [, id = ""] = /tazuna repo move (\S+) \./.exec(remedy) ?? [];
  expect(remedy).toContain(lost.run.id.slice(0, 8));
  const second = await ask(product, ["run", "Write", "--agent", "writer"], { cwd: moved });
  expect(ending(second.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  const answer = await product.tazuna(["repo", "move", id, moved, "--json"], { cwd: moved });
  expect({ code: answer.code, stderr: answer.stderr }).toEqual({ code: 0, stderr: "" });
  const listed = await product.tazuna(["repo", "list", "--json"], { cwd: moved });
  const { repositories } = listed.json<{ repositories: { worker: unknown }[] }>();
  // In a team the other worker's clone is listed too.
  expect(repositories.filter(({ worker }) => worker === null)).toHaveLength(1);
  for (const { attempt } of [first, second]) {
    const again = await ask(product, ["continue", attempt.id, "Again"], { cwd: moved });
    expect(ending(again.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  }
});

function exists(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}
