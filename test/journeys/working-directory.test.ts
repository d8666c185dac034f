/** Tells where an agent works that takes the variable PWD for its directory, as opencode does. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { ask, changedPaths, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

test("seed 003 Phase 2: an agent works in the attempt's worktree, whatever directory the person was in", async () => {
  await using product = await startProduct();
  const write = 'await Bun.write(process.env.PWD + "/one.txt", "one")';
  const command = [process.execPath, "--eval", write];
  await product.configure({ agents: { trusting: { executor: "command", command } } });
  const env = { PWD: product.repository };
  const end = await ask(product, ["run", "Work", "--agent", "trusting"], { cwd: product.repository, env });
  expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect(await changedPaths(product, product.origin, end.attempt.branch)).toEqual(["one.txt"]);
  expect(await product.sandbox.git(product.repository, ["status", "--porcelain"])).toBe("");
});
