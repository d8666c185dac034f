/** Takes the demo away: also while its agents work, and never with anything of a person in it. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { httpApi } from "../helpers/http-api.ts";
import { ask, exists, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

async function demos(product: Product) {
  const { items } = await (await httpApi(product)).json("/repositories");
  return (items as readonly { readonly demo: boolean; readonly path: string }[]).filter(({ demo }) => demo);
}

const folders = async (path: string) => (await readdir(path).catch(() => [] as string[])).sort();

test(
  deep("`demo --remove` takes the demo away with its attempts, trash and remote, and nothing else"),
  async () => {
    await using product = await startProduct();
    await product.agent("agent", "echo new > new.txt");
    const mine = await ask(product, ["run", "Change it", "--agent", "agent"]);
    const demo = await ask(product, ["demo"]);
    await ask(product, ["merge", demo.attempts[0]?.id ?? ""]).catch(() => null);
    await ask(product, ["cancel", demo.attempts[1]?.id ?? ""]);
    const [found] = await demos(product);
    const folder = dirname(found?.path ?? "");
    expect([(await demos(product)).length, await folders(folder)]).toEqual([1, ["greeter", "origin.git"]]);

    const end = await product.tazuna(["demo", "--remove"]);
    expect([end.code, end.stdout]).toEqual([0, `The demo in ${found?.path} is gone.\n`]);
    const gone = await Promise.all([
      exists(folder),
      ...demo.attempts.map(({ worktree }) => exists(worktree)),
    ]);
    expect(gone).toEqual([false, false, false]);
    expect(await folders(join(product.home, "trash"))).toEqual([]);
    expect(await folders(join(product.home, "scratch"))).toEqual([]);
    expect(await demos(product)).toEqual([]);
    expect(await exists(join(mine.attempt.worktree, "new.txt"))).toBe(true);
    expect((await product.tazuna(["demo", "--remove"])).stdout).toBe("There is no demo.\n");
  },
);

test("while its agents work, they are stopped first", async () => {
  await using product = await startProduct({ env: { TAZUNA_DEMO_PAUSE_MS: "2000" } });
  await product.tazuna(["engine", "restart"]);
  const api = await httpApi(product);
  const { attempts } = await api.json("/demo", { method: "POST", body: { ask: true } });
  expect(attempts.length).toBe(2);
  const removed = await api.call("/demo", { method: "DELETE" });
  expect([removed.status, ((await removed.json()) as { removed: unknown[] }).removed.length]).toEqual([
    200, 1,
  ]);
  expect(await folders(join(product.home, "demos"))).toEqual([]);
  expect(await folders(join(product.home, "worktrees"))).toEqual([]);
});

test(deep("a demo that holds anything of a person stays as it is, and the answer says what"), async () => {
  await using product = await startProduct();
  const { attempts } = await ask(product, ["demo"]);
  const [{ path = "" } = {}] = await demos(product);
  const worktree = attempts[0]?.worktree ?? "";
  const stays = async () => (await refused(product, ["demo", "--remove"])).error;

  await writeFile(join(path, "note.txt"), "mine\n");
  expect(await stays()).toMatchObject({ code: "demo_changed", message: expect.stringContaining("note.txt") });
  await product.sandbox.git(path, ["add", "-A"]);
  await product.sandbox.git(path, ["commit", "--quiet", "-m", "Mine"]);
  const sha = await product.sandbox.git(path, ["rev-parse", "--short=8", "HEAD"]);
  expect((await stays()).message).toContain(`commits that Tazuna did not make: ${sha}`);
  // The reflog still leads to it.
  await product.sandbox.git(path, ["reset", "--quiet", "--hard", "HEAD~1"]);
  expect((await stays()).message).toContain(sha);
  await product.sandbox.git(path, ["reflog", "expire", "--expire=now", "--all"]);

  await writeFile(join(worktree, "src/greet.js"), "// mine\n");
  expect((await stays()).message).toContain("was changed after its last run: src/greet.js");
  await product.sandbox.git(worktree, ["checkout", "--quiet", "--", "."]);
  await writeFile(join(path, "..", "beside.txt"), "mine\n");
  expect((await stays()).message).toContain("Its folder holds something else: beside.txt");
  expect(await exists(worktree)).toBe(true);
});

test(
  deep("if an attempt cannot be put away, the demo stays and says why at once; then it goes"),
  async () => {
    await using product = await startProduct({ timing: { demoMs: 120_000, cleanUpMs: [60_000] } });
    await ask(product, ["demo"]);
    const trash = join(product.home, "trash");
    await rm(trash, { recursive: true, force: true });
    await writeFile(trash, "no folder\n");
    const asked = performance.now();
    for (const _ of ["first", "again"]) {
      const { error } = await refused(product, ["demo", "--remove"]);
      expect(error).toMatchObject({ code: "demo_busy", message: expect.stringContaining(trash) });
      expect(error.remedy).toContain("Mend that");
    }
    expect(performance.now() - asked).toBeLessThan(30_000);
    expect((await product.tazuna(["list", "--all"])).code).toBe(0);
    expect((await demos(product)).length).toBe(1);
    await rm(trash);
    expect((await product.tazuna(["demo", "--remove"])).code).toBe(0);
    expect(await demos(product)).toEqual([]);
  },
);

test(deep("after a stop of its agents it goes too; an edit by hand since then keeps it"), async () => {
  await using product = await startProduct({ env: { TAZUNA_DEMO_PAUSE_MS: "700" } });
  await product.tazuna(["engine", "restart"]);
  const api = await httpApi(product);
  const { task, attempts } = await api.json("/demo", { method: "POST", body: {} });
  const [{ id: run }] = attempts[0].runs;
  await waitFor("an edit", async () => (await api.json(`/runs/${run}`)).last_action !== null);
  await product.tazuna(["stop", task.id]);
  const file = join(attempts[0].worktree, "README.md");
  const before = await Bun.file(file).text();
  await writeFile(file, `${before}mine\n`);
  expect((await refused(product, ["demo", "--remove"])).error.message).toContain("README.md");
  await writeFile(file, before);
  expect((await product.tazuna(["demo", "--remove"])).code).toBe(0);
});
