/** Ends the time of a run's lease for its keeper alone: the agent is stopped, and its engine goes on with it. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatDeadlines } from "../../src/keeper/lease-deadline.ts";
import { localProcesses } from "../../src/utils/exec.ts";
import { askingAgent, show } from "../helpers/asking-agent.ts";
import { ending, exists, gate, noteCodes, PATIENCE_MS, processesOf, taskEnd } from "../helpers/journey.ts";
import { ownSchema } from "../helpers/own-schema.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { replayedClaude } from "../helpers/replayed-claude.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** As the engine would have written it long ago. It writes the file anew when it takes the run again. */
async function endLease(product: Product, run: string): Promise<void> {
  await writeDeadlines(product, new Map([[run, 1]]));
}

async function writeDeadlines({ home }: Product, deadlines: ReadonlyMap<string, number>): Promise<void> {
  const file = join(home, "lease.json");
  await writeFile(`${file}.new`, formatDeadlines(await localProcesses.bootId(), deadlines));
  await rename(`${file}.new`, file);
}

async function onPostgres() {
  const schema = await ownSchema();
  const product = await startProduct({
    env: { TAZUNA_DATABASE: schema.url },
    // No renewal comes between.
    timing: { leaseMs: 3_600_000 },
  });
  await mkdir(product.home, { mode: 0o700 });
  // An engine that finds the file keeps it true, also if no run of it may move now.
  await writeDeadlines(product, new Map());
  return {
    product,
    [Symbol.asyncDispose]: async () => {
      await product[Symbol.asyncDispose]();
      await schema[Symbol.asyncDispose]();
    },
  };
}

const begin = async (product: Product, agent: string) =>
  taskEnd(await product.tazuna(["run", "Say hello", "--agent", agent, "--detach", "--json"]));

/** Whoever asks for the version alone does not wait. */
const PROBED = 'case "$*" in *--version*) exit 0 ;; esac';

describe.skipIf("missing" in postgres)("an agent that was stopped because its lease had run out", () => {
  test(deep("goes on in its session, with what it had edited"), async () => {
    await using world = await onPostgres();
    const { product } = world;
    await using door = gate(product, "fenced");
    const claude = await replayedClaude(product, "claude", [
      {
        before: `${PROBED}; echo begun > begun.txt`,
        stream: "success-edit.jsonl",
        lines: 6,
        after: door.wait,
      },
      { before: "echo hello > hello.txt", stream: "success-edit.jsonl" },
    ]);
    const { run, attempt, document } = await begin(product, "claude");
    await door.reached();
    await endLease(product, run.id);
    const end = taskEnd(await product.tazuna(["wait", document.task.id, "--json"]));
    const starts = await claude.starts(attempt.id);
    expect<unknown>({
      ending: ending(end.run),
      notes: noteCodes(end.run),
      resumed: starts.map(({ argv }) => argv.includes("--resume")),
      files: await product.sandbox.git(product.origin, ["ls-tree", "--name-only", attempt.branch]),
    }).toEqual({
      ending: { status: "SUCCEEDED", outcome: "pushed" },
      notes: ["fenced"],
      resumed: [false, true],
      files: expect.stringMatching(/^begun\.txt\n(.*\n)*hello\.txt/m),
    });
    expect((await product.tazuna(["logs", run.id])).stdout).toContain("did not renew its lease in time");
  });

  test(deep("ends as interrupted if it has no session, and keeps what it had edited"), async () => {
    await using world = await onPostgres();
    const { product } = world;
    await using door = gate(product, "without-session");
    await product.agent("writer", `echo begun > begun.txt; ${door.wait}`);
    const { run, attempt, document } = await begin(product, "writer");
    await door.reached();
    await endLease(product, run.id);
    const end = taskEnd(await product.tazuna(["wait", document.task.id, "--json"]));
    expect(ending(end.run)).toEqual({ status: "FAILED", outcome: null, failure: "interrupted" });
    expect(end.run.failure).toMatchObject({
      message: expect.stringContaining("It has no session with which to go on; its edits are kept."),
      details: { cause: "fenced" },
    });
    expect(await exists(join(attempt.worktree, "begun.txt"))).toBe(true);
    expect(await processesOf(run.id)).toEqual([]);
  });

  test(deep("waits for the answer to what it had asked, and goes on with that"), async () => {
    await using world = await onPostgres();
    const { product } = world;
    const agent = await askingAgent(product);
    const asking = await agent.begin("ask npm install left-pad");
    await endLease(product, asking.run.id);
    await waitFor("its process to end", async () => (await processesOf(asking.run.id)).length === 0);
    expect((await show(product, asking.run.id)).run.question?.id).toBe(asking.question.id);
    expect((await product.tazuna(["answer", asking.run.id, "--allow"])).code).toBe(0);
    const end = taskEnd(await product.tazuna(["wait", asking.document.task.id, "--json"]));
    expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect((await agent.prompts()).length).toBe(2);
  });
});
