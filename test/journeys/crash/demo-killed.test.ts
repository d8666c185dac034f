/** Kills the engine while it removes the demo: asked again, the demo goes, and nothing of it is left. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PATIENCE_MS } from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { around } from "./scenarios.ts";

setDefaultTimeout(PATIENCE_MS);

for (const failpoint of around("demo_remove"))
  test(deep(`the removal of the demo, killed at ${failpoint}`), async () => {
    await using product = await startProduct();
    expect((await product.tazuna(["demo"])).code).toBe(0);
    await product.killEngine();
    const reached = join(dirname(product.home), "reached");
    await product.tazuna(["demo", "--remove"], { env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` } });
    expect(existsSync(reached)).toBe(true);
    const again = await product.tazuna(["demo", "--remove"]);
    const known = (await product.tazuna(["repo", "list", "--json"])).json<{
      readonly repositories: unknown[];
    }>();
    const left = async (folder: string) => readdir(join(product.home, folder)).catch(() => []);
    expect([again.code, known.repositories, await left("demos"), await left("worktrees")]).toEqual([
      0,
      [],
      [],
      [],
    ]);
    tally("kill", `the engine at ${failpoint} of the demo`, { under: "guard" });
  });
