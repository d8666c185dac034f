/** Kills the engine while it puts aside what a crash left, and while it records that a worktree is lost. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, ending, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";
import { countedAgent, startsFile } from "./scenarios.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;

function killedAt(product: Product, failpoint: string) {
  const reached = join(dirname(product.home), `reached-${failpoint.replace(":", "-")}`);
  return { reached, env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` } };
}

async function counted(product: Product): Promise<void> {
  await countedAgent(product, "agent", 'echo "$TAZUNA_RUN" > "$TAZUNA_RUN.txt"; echo Done.');
}

for (const failpoint of ["before:half_made", "after:half_made"])
  test(
    deep(
      `what lies in a new worktree's place, killed at ${failpoint}: it goes to the trash, and the run goes on`,
    ),
    async () => {
      await using product = await startProduct();
      await counted(product);
      const first = killedAt(product, "before:worktree_add");
      await product.tazuna(["run", "Change it", "--agent", "agent", "--detach"], { env: first.env });
      await eventually("the engine to be killed", async () => (await product.enginePid()) === null);
      const [attempt] = readDataFolder(product.home).attempts;
      await mkdir(attempt?.worktree ?? "", { recursive: true });
      await writeFile(join(attempt?.worktree ?? "", "mine.txt"), "mine\n");

      const second = killedAt(product, failpoint);
      const end = await ask(product, ["wait", attempt?.id ?? ""], { env: second.env });

      expect(existsSync(second.reached)).toBe(true);
      expect(ending(end.run)).toEqual(PUSHED);
      const trash = join(product.home, "trash");
      const [aside, ...others] = await readdir(trash);
      expect(others).toEqual([]);
      expect(await readFile(join(trash, aside ?? "", "mine.txt"), "utf8")).toBe("mine\n");
      expect(await whatIsWrong(product, { starts: startsFile(product) })).toEqual([
        `trash/${aside} is nobody's`,
      ]);
      tally("kill", `the engine at ${failpoint}`, { under: "guard" });
    },
  );

for (const failpoint of ["before:worktree_lost", "after:worktree_lost"])
  test(
    deep(
      `a worktree that is lost, killed at ${failpoint}: it is written down, and the next run makes it again`,
    ),
    async () => {
      await using product = await startProduct();
      await counted(product);
      const { attempt } = await ask(product, ["run", "Change it", "--agent", "agent"]);
      await product.killEngine();
      await rm(attempt.worktree, { recursive: true });
      const { reached, env } = killedAt(product, failpoint);
      await product.tazuna(["list"], { env });
      expect(existsSync(reached)).toBe(true);
      await product.tazuna(["list"]);
      const lost = readDataFolder(product.home).operations.filter(({ kind }) => kind === "worktree_lost");
      expect(lost.some(({ status }) => status !== "intended")).toBe(true);
      const next = await ask(product, ["continue", attempt.id, "Once more"]);
      expect(ending(next.run)).toEqual(PUSHED);
      expect(await whatIsWrong(product, { starts: startsFile(product) })).toEqual([]);
      tally("kill", `the engine at ${failpoint}`, { under: "guard" });
    },
  );
