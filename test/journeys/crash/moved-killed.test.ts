/** Kills the engine while it follows a repository that its owner moved. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, ending, PATIENCE_MS } from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { countedAgent, startsFile } from "./scenarios.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

setDefaultTimeout(PATIENCE_MS);

for (const failpoint of ["before:worktree_repair", "after:worktree_repair"])
  test(
    deep(`a repository that was moved, killed at ${failpoint}: asked again, its attempts go on there`),
    async () => {
      await using product = await startProduct();
      await countedAgent(product, "agent", 'echo "$TAZUNA_RUN" > "$TAZUNA_RUN.txt"; echo Done.');
      const { attempt } = await ask(product, ["run", "Change it", "--agent", "agent"]);
      const list = await product.tazuna(["repo", "list", "--json"]);
      const [known] = list.json<{ repositories: readonly { id: string }[] }>().repositories;
      await product.killEngine();
      const moved = join(dirname(product.repository), "moved");
      await rename(product.repository, moved);
      const reached = join(dirname(product.home), "reached");
      const move = ["repo", "move", known?.id ?? "", moved, "--json"];
      const env = { TAZUNA_FAILPOINT: `${failpoint}@${reached}` };
      await product.tazuna(move, { cwd: moved, env });
      expect(existsSync(reached)).toBe(true);
      expect((await product.tazuna(move, { cwd: moved })).code).toBe(0);
      const next = await ask(product, ["continue", attempt.id, "Once more"], { cwd: moved });
      expect(ending(next.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
      const there = { ...product, repository: moved };
      expect(await whatIsWrong(there, { starts: startsFile(product) })).toEqual([]);
      expect(readDataFolder(product.home).runs).toHaveLength(2);
      tally("kill", `the engine at ${failpoint}`, { under: "guard" });
    },
  );
