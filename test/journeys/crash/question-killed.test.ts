/** Kills the engine while a person is asked: the question is there once, and its answer reaches the agent once. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { answeredByTool, askingAgent, asks, beginAsking, show } from "../../helpers/asking-agent.ts";
import { ask, ending, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;
const INSTALL = "npm install left-pad";

function failpointOf(product: Product, name: string) {
  const reached = join(dirname(product.home), `reached-${name.replace(":", "-")}`);
  return { reached: () => existsSync(reached), env: { TAZUNA_FAILPOINT: `${name}@${reached}` } };
}

test("a question outlives the engine: the next one asks it no second time, and takes its answer (promise 4.2)", async () => {
  await using product = await startProduct();
  const agent = await askingAgent(product);
  const first = await agent.begin(`ask ${INSTALL}`);
  await product.killEngine();
  const second = await asks(product, first.run.id);
  expect(second.question).toEqual(first.question);
  await ask(product, ["answer", first.run.id, "--allow"]);
  expect(ending((await ask(product, ["wait", first.run.id])).run)).toEqual(PUSHED);
  expect(await agent.answers()).toEqual([`${INSTALL}: yes`]);
  tally("kill", "the engine while a person is asked", { under: "guard" });
});

for (const name of ["before:ask", "after:ask"])
  test(deep(`a question is asked once if the engine is killed at ${name}`), async () => {
    await using product = await startProduct();
    const agent = await askingAgent(product);
    const point = failpointOf(product, name);
    const args = ["run", `ask ${INSTALL}`, "--agent", "agent", "--detach"];
    const { run } = await ask(product, args, { env: point.env });
    await waitFor("the kill", () => point.reached());
    await asks(product, run.id);
    await ask(product, ["answer", run.id, "--allow"]);
    expect(ending((await ask(product, ["wait", run.id])).run)).toEqual(PUSHED);
    expect(await agent.answers()).toEqual([`${INSTALL}: yes`]);
    tally("kill", `the engine at ${name}`, { under: "guard" });
  });

for (const name of ["after:give_answer", "before:answer", "after:answer"])
  test(name === "before:answer" ? named(name) : deep(named(name)), async () => {
    await using product = await startProduct();
    const agent = await askingAgent(product);
    const first = await agent.begin(`ask ${INSTALL}`);
    await product.killEngine();
    const point = failpointOf(product, name);
    // The killed engine may have answered the command, or not; the answer counts either way.
    await product.tazuna(["answer", first.run.id, "--allow"], { env: point.env });
    await waitFor("the kill", () => point.reached());
    await waitFor("the end", async () => (await show(product, first.run.id)).run.ended_at);
    expect(ending((await show(product, first.run.id)).run)).toEqual(PUSHED);
    expect(await agent.answers()).toEqual([`${INSTALL}: yes`]);
    tally("kill", `the engine at ${name}`, { under: "guard" });
  });

for (const name of ["before:park", "after:park"])
  test(deep(`a question whose agent was stopped waits on if the engine is killed at ${name}`), async () => {
    await using product = await startProduct({ timing: { questionMs: 300 } });
    const agent = await askingAgent(product);
    const point = failpointOf(product, name);
    const args = ["run", `ask ${INSTALL}`, "--agent", "agent", "--detach"];
    const { run } = await ask(product, args, { env: point.env });
    await waitFor("the kill", () => point.reached());
    await waitFor(
      "the question to wait without a process",
      async () => (await show(product, run.id)).run.question?.parked_at ?? null,
    );
    await ask(product, ["answer", run.id, "--allow"]);
    expect(ending((await ask(product, ["wait", run.id])).run)).toEqual(PUSHED);
    expect(await agent.answers()).toEqual([`${INSTALL}: yes`]);
    tally("kill", `the engine at ${name}`, { under: "guard" });
  });

for (const name of ["before:answer", "after:answer"])
  test(
    deep(`an answer reaches the tool \`ask_person\` once if the engine is killed at ${name}`),
    async () => {
      await using product = await startProduct();
      const { run } = await beginAsking(product, { question: "Which colour?" });
      await asks(product, run.id);
      await product.killEngine();
      const point = failpointOf(product, name);
      await product.tazuna(["answer", run.id, "--text", "green"], { env: point.env });
      await waitFor("the kill", () => point.reached());
      const end = await waitFor("the end", async () => {
        const now = await show(product, run.id);
        return now.run.ended_at === null ? null : now;
      });
      expect(ending(end.run)).toEqual(PUSHED);
      expect(await answeredByTool(end)).toMatchObject({ answer: { answer: "green", option: null } });
      tally("kill", `the engine at ${name}, of the tool`, { under: "guard" });
    },
  );

function named(name: string): string {
  return `an answer reaches the agent once if the engine is killed at ${name}`;
}
