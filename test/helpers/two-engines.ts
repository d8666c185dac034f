/** Runs two engines on one Postgres, each with a data folder and a clone of its own. */
import { expect } from "bun:test";
import { cp, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ownPostgres } from "./own-postgres.ts";
import { isRunning, startProduct } from "./product.ts";
import { waitFor } from "./wait-for.ts";

/** Two engines that run: one of `product`, and one of the data folder `home`, whose repository is `clone`. */
export async function twoEngines() {
  const server = await ownPostgres();
  const product = await startProduct({
    // Neither ends while the other one is asked something.
    env: { TAZUNA_DATABASE: server.url, TAZUNA_IDLE_EXIT: "600" },
  });
  const home = join(dirname(product.home), "other home");
  const clone = join(dirname(product.home), "other clone");
  const there = { env: { TAZUNA_HOME: home }, cwd: clone };
  await product.sandbox.git(dirname(clone), ["clone", "--quiet", product.origin, clone]);
  return {
    product,
    there,
    clone,
    /** Their Postgres. */
    server,
    /** Starts both; `here` holds for the one of `product`. */
    settle: async (here: Readonly<Record<string, string>> = {}) => {
      await mkdir(home, { mode: 0o700, recursive: true });
      await cp(join(product.home, "config.json"), join(home, "config.json"));
      for (const how of [{ env: here }, there]) expect((await product.tazuna(["list"], how)).code).toBe(0);
    },
    home,
    /** `kill -9` of the other engine; resolves when the process is gone. */
    killOther: async () => {
      const { pid } = JSON.parse(await readFile(join(home, "server.json"), "utf8")) as { pid: number };
      process.kill(pid, "SIGKILL");
      await waitFor("the other engine to be gone", () => !isRunning(pid));
    },
    workerOf: async (folder: string) => (await readFile(join(folder, "worker-id"), "utf8")).trim(),
    [Symbol.asyncDispose]: async () => {
      await product.tazuna(["engine", "stop"], there);
      await product[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
