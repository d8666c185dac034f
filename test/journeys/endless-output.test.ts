import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

const LIMIT = 300 * 1024;
const env = { TAZUNA_OUTPUT_LIMITS: JSON.stringify({ outBytes: LIMIT, errBytes: LIMIT }) };

test("an agent that prints without end is stopped before it fills the disk; its run says so and keeps its edits", async () => {
  await using product = await startProduct({ env });
  await product.agent("endless", "echo kept > kept.txt; exec yes 'on and on'");
  const { code, attempt, run } = await ask(product, ["run", "Change it", "--agent", "endless"]);
  expect(code).toBe(1);
  expect(ending(run)).toEqual({ status: "FAILED", outcome: null, failure: "agent_failed" });
  expect(run.failure?.message).toBe("The agent printed more than 300 KiB and was stopped.");
  expect(await readFile(join(attempt.worktree, "kept.txt"), "utf8")).toBe("kept\n");
  expect((await stat(join(product.home, "runs", run.id, "out.jsonl"))).size).toBeLessThanOrEqual(LIMIT);
});

test("an agent that prints much on stderr works on, and what it said last tells why it failed", async () => {
  await using product = await startProduct({ env });
  await product.agent("loud", "seq 1 200000 >&2; echo 'no more ideas' >&2; exit 3");
  const { run } = await ask(product, ["run", "Change it", "--agent", "loud"]);
  expect(ending(run)).toMatchObject({ status: "FAILED", failure: "agent_failed" });
  expect(run.failure?.message).toContain("no more ideas");
  expect((await stat(join(product.home, "runs", run.id, "err.log"))).size).toBeLessThanOrEqual(LIMIT);
});
