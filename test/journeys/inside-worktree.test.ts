/** Gives commands inside an attempt's worktree: they mean the attempt's repository. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

test(
  deep(
    "`run`, `list`, `config`, `trust` and `doctor` inside an attempt's worktree are about the attempt's repository",
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("agent", "echo new > new.txt; echo Done.");
    const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
    const inside = join(first.attempt.worktree, "src", "deep");
    await mkdir(inside, { recursive: true });
    const there = { cwd: inside };

    const second = await ask(product, ["run", "Once more", "--agent", "agent"], there);
    expect(second.document.task.repository).toEqual(first.document.task.repository);
    expect(second.attempt.base).toEqual(first.attempt.base);
    const listed = await product.tazuna(["list", "--json"], there);
    const { tasks } = listed.json<{ readonly tasks: readonly { readonly id: string }[] }>();
    expect(tasks.map(({ id }) => id)).toEqual([second.document.task.id, first.document.task.id]);
    for (const command of [["config"], ["trust"], ["repo"]]) {
      const [here, user] = await Promise.all([
        product.tazuna([...command, "--json"], there),
        product.tazuna([...command, "--json"]),
      ]);
      expect([command, here.code, here.stdout]).toEqual([command, user.code, user.stdout]);
    }
    const added = await product.tazuna(["repo", "add", "--json"], there);
    const { repositories } = added.json<{ readonly repositories: readonly { readonly path: string }[] }>();
    expect(repositories.map(({ path }) => path)).toEqual([product.repository]);
    const doctor = await product.tazuna(["doctor", "--json"], there);
    expect(doctor.stdout).not.toContain(`"path": "${first.attempt.worktree}"`);
  },
);
