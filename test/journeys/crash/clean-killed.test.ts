/** Kills the engine while it cleans up an attempt: the next one finishes, and no commit is lost. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, branchAt, exists, PATIENCE_MS } from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";

setDefaultTimeout(PATIENCE_MS);

const FAILPOINTS = ["request:clean", "after:snapshot", "before:trash", "after:trash", "after:worktree_prune"];

for (const failpoint of FAILPOINTS)
  test(deep(`a named clean-up of what was not pushed, killed at ${failpoint}`), async () => {
    await using product = await startProduct({ env: { TAZUNA_PUBLISH: "commit" } });
    await product.agent("agent", "echo one > one.txt; echo Done.");
    const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
    const { id, worktree, branch } = end.attempt;
    await writeFile(join(worktree, "one.txt"), "edited\n");
    await product.killEngine();
    const reached = join(dirname(product.home), "reached");
    const env = { TAZUNA_FAILPOINT: `${failpoint}@${reached}` };
    const cleaned = await product.tazuna(["clean", id, "--yes", "--json"], { env });
    expect([existsSync(reached), cleaned.code]).toEqual([true, 0]);
    const stateNow = () => readDataFolder(product.home).attempts.find((one) => one.id === id)?.state;
    await eventually("the clean-up to be finished", async () => stateNow() === "removed");
    expect<unknown>({
      worktree: await exists(worktree),
      trash: await readFile(join(product.home, "trash", id, "one.txt"), "utf8"),
      branch: await branchAt(product, product.repository, branch),
    }).toEqual({ worktree: false, trash: "edited\n", branch: end.run.commit });
    expect((await product.tazuna(["trash", "restore", id])).code).toBe(0);
    expect(await readFile(join(worktree, "one.txt"), "utf8")).toBe("edited\n");
    tally("kill", `the engine at ${failpoint} of a clean-up`, { under: "guard" });
  });
