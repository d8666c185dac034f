/** `tazuna engine`, and what becomes of an engine of another version. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, gate, PATIENCE_MS, taskEnd } from "../helpers/journey.ts";
import { type CommandEnd, isRunning, type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const ROOT = join(import.meta.dir, "../..");

interface Status {
  readonly stopped?: { readonly pid: number; readonly forced: boolean } | null;
  readonly agents: readonly string[];
  readonly engine: Readonly<Record<string, unknown>>;
}

const engine = async (product: Product, ...words: string[]) => {
  const end = await product.tazuna(["engine", ...words, "--json"]);
  return { code: end.code, stderr: end.stderr, ...end.json<Status>() };
};

const serverFile = (product: Product) => join(product.home, "server.json");

test(deep("status, restart and stop say what works, and agents go on under their keepers"), async () => {
  await using product = await startProduct();
  await using door = gate(product, "agent");
  await product.agent("slow", `${door.wait}; echo new > new.txt; echo Done.`);

  const none = await engine(product);
  expect([none.code, none.engine.state]).toEqual([0, "none"]);
  expect((await product.tazuna(["engine", "stop"])).stdout).toBe("No engine works on this data folder.\n");

  const started = await ask(product, ["run", "Change it", "--agent", "slow", "--detach"]);
  await door.reached();
  const run = started.run.id;
  const first = await product.enginePid();
  const works = await engine(product, "status");
  expect(works.engine).toMatchObject({
    state: "works",
    pid: first,
    kind: "background",
    home: product.home,
    idle: false,
    runs: [{ id: run, attempt: started.attempt.id, status: "RUNNING", phase: "agent" }],
    agents: [run],
  });

  const restarted = await engine(product, "restart");
  expect(restarted).toMatchObject({ code: 0, stopped: { pid: first, forced: false }, agents: [run] });
  expect(restarted.engine).toMatchObject({ state: "works", pid: await product.enginePid() });
  expect(await product.enginePid()).not.toBe(first);

  const stopped = await product.tazuna(["engine", "stop"]);
  expect(stopped.stdout).toContain(`The agent of run ${run.slice(0, 8)} goes on under its keeper.`);
  expect([await product.enginePid(), await engine(product).then((now) => now.engine)]).toEqual([
    null,
    expect.objectContaining({ state: "none", agents: [run] }),
  ]);
  await door.open();
  const end = await ask(product, ["wait", started.document.task.id]);
  expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect((await product.tazuna(["engine", "stpo"])).code).toBe(2);
});

test(
  deep("an engine that hears nothing is ended, and a process that is not proved to be the engine never is"),
  async () => {
    await using product = await startProduct();
    await product.tazuna(["list"]);
    const deaf = await product.enginePid();
    process.kill(deaf ?? 0, "SIGSTOP");
    const [silent, stopped] = [await engine(product), await engine(product, "stop")];
    expect([silent.code, silent.engine.state]).toEqual([1, "silent"]);
    expect([stopped.code, stopped.stopped]).toEqual([0, { pid: deaf ?? 0, forced: true }]);

    await product.tazuna(["list"]);
    const text = await readFile(serverFile(product), "utf8");
    await product.killEngine();
    const bystander = Bun.spawn(["sleep", "600"]);
    const known = JSON.parse(text) as Record<string, unknown>;
    const [, startTime] = /^\d+ \(.*\) (?:\S+ ){19}(\d+) /s.exec(
      await readFile(`/proc/${bystander.pid}/stat`, "latin1"),
    ) ?? [null, ""];
    for (const change of [{}, { start_time: startTime }, { start_time: "" }]) {
      await writeFile(serverFile(product), JSON.stringify({ ...known, pid: bystander.pid, ...change }));
      await product.tazuna(["engine", "stop"]);
      expect(isRunning(bystander.pid)).toBe(true);
    }
    bystander.kill("SIGKILL");
    await bystander.exited;
  },
);

/** The command line of another version, from a copy of the sources. */
async function ofVersion(product: Product, version: string): Promise<string> {
  const folder = join(product.home, "..", `version-${version}`);
  await mkdir(folder);
  await cp(join(ROOT, "src"), join(folder, "src"), { recursive: true });
  await cp(join(ROOT, "bin"), join(folder, "bin"), { recursive: true });
  for (const name of ["node_modules", "scripts"]) await symlink(join(ROOT, name), join(folder, name));
  const settings = join(folder, "src/app/process/settings.ts");
  const text = await readFile(settings, "utf8");
  await writeFile(settings, text.replace(/const VERSION = ".*"/, `const VERSION = "${version}"`));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", version }));
  return join(folder, "bin/tazuna");
}

async function call(product: Product, words: readonly string[]): Promise<CommandEnd> {
  const child = Bun.spawn([...words], {
    cwd: product.repository,
    env: { ...product.env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  return { code: child.exitCode, stdout, stderr, json: () => JSON.parse(stdout) };
}

test(
  deep("an idle older engine is replaced, a working one is used and told, and so is a newer one"),
  async () => {
    await using product = await startProduct();
    await using door = gate(product, "agent");
    await product.agent("slow", `${door.wait}; echo new > new.txt; echo Done.`);
    const older = await ofVersion(product, "0.0.9");
    const newer = await ofVersion(product, "99.0.0");

    const work = await call(product, [older, "run", "Change it", "--agent", "slow", "--detach", "--json"]);
    await door.reached();
    const busy = await product.enginePid();
    const used = await product.tazuna(["list"]);
    expect([used.code, await product.enginePid()]).toEqual([0, busy]);
    expect(used.stderr).toContain("is of version 0.0.9");
    expect(used.stderr).toContain("`tazuna engine restart`");
    await door.open();
    expect(ending(taskEnd(await call(product, [older, "wait", taskEnd(work).run.id, "--json"])).run)).toEqual(
      {
        status: "SUCCEEDED",
        outcome: "pushed",
      },
    );

    const both = await Promise.all([product.tazuna(["list"]), product.tazuna(["list"])]);
    // A slow machine says that it waits.
    const said = (stderr: string) => stderr.replace("Waits for the engine to start.\n", "");
    expect(both.map(({ code, stderr }) => [code, said(stderr)])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    const replaced = await engine(product);
    expect(replaced.engine).toMatchObject({ state: "works", pid: await product.enginePid() });
    expect(replaced.engine.version).not.toBe("0.0.9");

    const back = await call(product, [older, "list"]);
    expect([back.code, back.stderr]).toEqual([0, expect.stringContaining("Update this Tazuna")]);
    await call(product, [newer, "list"]);
    expect((await engine(product)).engine.version).toBe("99.0.0");
  },
);

test("an engine of a terminal is neither replaced nor restarted, and ends when it is told to", async () => {
  await using product = await startProduct();
  const older = await ofVersion(product, "0.0.9");
  const serving = call(product, [older, "serve", "--port", "0"]);
  const pid = await waitFor("the served engine", () => product.enginePid());
  const used = await product.tazuna(["list"]);
  expect([await product.enginePid(), used.stderr]).toEqual([pid, expect.stringContaining("in a terminal")]);
  const refused = await product.tazuna(["engine", "restart", "--json"]);
  expect([refused.code, refused.json<{ error: { code: string } }>().error.code]).toEqual([
    1,
    "engine_in_terminal",
  ]);
  expect((await engine(product, "stop")).stopped).toEqual({ pid, forced: false });
  expect((await serving).code).toBe(0);
});
