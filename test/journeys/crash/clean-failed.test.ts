/** Lets a step of a clean-up fail, and the engine die before it can try again: the next start finishes it. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, branchAt, exists, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";

setDefaultTimeout(PATIENCE_MS);

interface Obstacle {
  readonly why: RegExp;
  put(product: Product): Promise<unknown>;
  take(product: Product): Promise<unknown>;
}

const trashOf = (product: Product) => join(product.home, "trash");
const lockIn = (product: Product, name: string) => join(product.repository, ".git", name);

/** What keeps a step from being done, by the step. */
const OBSTACLES: Readonly<Record<string, Obstacle>> = {
  "the move to the trash": {
    why: /^the worktree is kept: EEXIST/,
    put: async (product) => {
      await mkdir(trashOf(product), { recursive: true });
      await rename(trashOf(product), `${trashOf(product)} aside`);
      await writeFile(trashOf(product), "in the way\n");
    },
    take: async (product) => {
      await rm(trashOf(product));
      await rename(`${trashOf(product)} aside`, trashOf(product));
    },
  },
  "the removal of the branch": {
    why: /^the branch is kept: /,
    put: (product) => writeFile(lockIn(product, "packed-refs.lock"), ""),
    take: (product) => rm(lockIn(product, "packed-refs.lock")),
  },
};

for (const [step, { why, put, take }] of Object.entries(OBSTACLES)) {
  const title = `${step} fails and the engine is killed: once the cause is mended, the next start ends the clean-up (promise 4.4)`;
  test(step === "the move to the trash" ? title : deep(title), async () => {
    // Nobody but the next engine is to try again.
    await using product = await startProduct({ timing: { cleanUpMs: [3_600_000] } });
    await product.agent("agent", "echo one > one.txt; echo Done.");
    const { attempt } = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await product.sandbox.git(product.repository, ["pack-refs", "--all"]);
    await put(product);
    expect((await product.tazuna(["cancel", attempt.id])).code).toBe(1);
    const stored = () => readDataFolder(product.home).attempts.find(({ id }) => id === attempt.id);
    expect([stored()?.state, JSON.parse(stored()?.cleanUp ?? "{}").why]).toEqual([
      "canceled",
      expect.stringMatching(why),
    ]);
    await product.killEngine();
    await take(product);
    expect((await product.tazuna(["list"])).code).toBe(0);
    await eventually("the clean-up to be finished", async () => stored()?.state === "removed");
    const registered = await product.sandbox.git(product.repository, ["worktree", "list", "--porcelain"]);
    expect<unknown>({
      worktree: await exists(attempt.worktree),
      trash: await exists(join(trashOf(product), attempt.id, "one.txt")),
      branch: await branchAt(product, product.repository, attempt.branch),
      registered: registered.includes(attempt.worktree),
      told: stored()?.cleanUp,
    }).toEqual({ worktree: false, trash: true, branch: null, registered: false, told: null });
    tally("fault", `${step} fails, and the engine is killed`);
  });
}
