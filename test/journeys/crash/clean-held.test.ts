/** Holds a clean-up in its snapshot while an engine starts: the start does not wait for it. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, exists, gate, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** The user's own filter waits there whenever git stages the file. */
async function slowFilter(product: Product, file: string, wait: string): Promise<void> {
  const filter = `${product.origin}.filter`;
  await writeFile(filter, `#!/bin/sh\n${wait}\nexec cat\n`);
  await chmod(filter, 0o755);
  await product.sandbox.git(product.repository, ["config", "filter.slow.clean", `'${filter}'`]);
  await appendFile(join(product.repository, ".git", "info", "attributes"), `${file} filter=slow\n`);
}

test(deep("an engine starts while a clean-up that it goes on with still hangs"), async () => {
  await using product = await startProduct();
  await using held = gate(product, "filter");
  await product.agent("agent", "true");
  await slowFilter(product, "later.txt", held.wait);
  const { attempt, document } = await ask(product, ["run", "Write", "--agent", "agent"]);
  await writeFile(join(attempt.worktree, "later.txt"), "edited\n");
  const asked = product.start(["cancel", attempt.id]);
  await held.reached();
  asked.kill("SIGKILL");
  await asked.end;
  await product.killEngine();

  const list = product.start(["list"]);
  let hasAnswered = false;
  void list.end.then(() => {
    hasAnswered = true;
  });
  await waitFor("the engine to answer", () => hasAnswered, { withinMs: 90_000 });
  expect((await list.end).code).toBe(0);
  expect(await exists(join(attempt.worktree, "later.txt"))).toBe(true);

  await held.open();
  const state = async () => (await ask(product, ["show", document.task.id])).attempt.state;
  await waitFor("the clean-up to end", async () => (await state()) === "removed", { withinMs: 120_000 });
  expect((await product.tazuna(["trash", "restore", attempt.id])).code).toBe(0);
  expect(await Bun.file(join(attempt.worktree, "later.txt")).text()).toBe("edited\n");
});
