/** Kills the engine while work goes into the user's own branches and checkout: all of it arrives, once, or nothing. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MergeDocument } from "../../../src/contract/endpoints/landing.ts";
import type { AttemptDocument } from "../../../src/contract/task-document.ts";
import { ask, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { around } from "./scenarios.ts";

setDefaultTimeout(PATIENCE_MS);

/** Asks for it with an engine that is killed at the failpoint; the next one goes on. */
async function killedAt(product: Product, failpoint: string, args: readonly string[]) {
  await product.killEngine();
  const reached = join(dirname(product.home), `reached-${failpoint.replace(":", "-")}`);
  const end = await product.tazuna([...args, "--json"], {
    env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` },
  });
  expect([existsSync(reached), end.code]).toEqual([true, 0]);
  tally("kill", `the engine at ${failpoint} of ${args[0]}`, { under: "guard" });
  return end;
}

for (const failpoint of around("merge_attempt"))
  for (const how of ["beside", "--here"])
    test(deep(`a merge (${how}), killed at ${failpoint}`), async () => {
      await using product = await startProduct();
      await product.agent("agent", "echo one > one.txt; echo Done.");
      const git = (...args: string[]) => product.sandbox.git(product.repository, args);
      if (how === "beside") await git("switch", "--quiet", "--create", "mine");
      const { id } = (await ask(product, ["run", "Change it", "--agent", "agent"])).attempt;
      const end = await killedAt(product, failpoint, ["merge", id, ...(how === "beside" ? [] : [how])]);
      const { merge } = end.json<{ merge: MergeDocument }>();
      const shown = (await product.tazuna(["show", id, "--json"])).json<AttemptDocument>();
      expect<unknown>({
        state: shown.state,
        merged: [shown.merged?.by, shown.merged?.commit],
        main: await git("rev-parse", "main"),
        merges: await git("rev-list", "--count", "--merges", "main"),
        status: await git("status", "--porcelain"),
      }).toEqual({
        state: "merged",
        merged: ["tazuna", merge.commit],
        main: merge.commit,
        merges: "1",
        status: "",
      });
    });
