/** Plays the demo as the browser asks for it: one of its two agents asks a question, which a person answers. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TaskDocument } from "../../src/contract/task-document.ts";
import { asks, show } from "../helpers/asking-agent.ts";
import { ask, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;
const FORMAL = 'return name ? "Good day, " + name + "." : "Good day.";';
const CASUAL = 'return "Hello, " + name + "! Good to see you.";';

/** Answers the task's two runs: the one that asks comes second. */
async function begin(product: Product, body: object): Promise<readonly [string, string]> {
  await product.tazuna(["engine", "restart"]);
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const response = await fetch(`${url}/api/v1/demo`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  const { attempts } = (await response.json()) as TaskDocument;
  const [plain, asking] = attempts.map(({ runs }) => runs[0]?.id ?? "");
  return [plain ?? "", asking ?? ""];
}

const greeting = async (product: Product, run: string) =>
  readFile(join((await show(product, run)).attempt.worktree, "src/greet.js"), "utf8");

test(deep("with `ask` the second agent waits for an answer, and greets by it"), async () => {
  await using product = await startProduct();
  const [plain, asking] = await begin(product, { ask: true });
  const { question } = await asks(product, asking);
  expect([question.words, question.options.map(({ name }) => name)]).toEqual([
    "Formal or casual greeting?",
    ["Formal", "Casual", "Own words", "Decline to answer"],
  ]);
  expect(ending((await ask(product, ["wait", plain])).run)).toEqual(PUSHED);
  await ask(product, ["answer", asking, "--text", "Formal"]);
  const end = await ask(product, ["wait", asking]);
  expect([ending(end.run), ending((await show(product, asking)).run)]).toEqual([PUSHED, PUSHED]);
  expect(await greeting(product, asking)).toContain(FORMAL);
  // A follow-up is not asked about again.
  const { attempt } = await show(product, asking);
  await ask(product, ["continue", attempt.id, "Greet once more"]);
  const later = (await show(product, asking)).attempt.runs.at(-1);
  expect([later?.number, later && ending(later)]).toEqual([2, PUSHED]);
});

test(deep("an answer that comes after the ten minutes is obeyed too, in own words"), async () => {
  await using product = await startProduct({ timing: { questionMs: 300 } });
  const [, asking] = await begin(product, { ask: true });
  await asks(product, asking);
  await waitFor(
    "the process to be stopped",
    async () => (await show(product, asking)).run.question?.parked_at ?? null,
  );
  await ask(product, ["answer", asking, "--text", "Rather formal, please"]);
  expect(ending((await ask(product, ["wait", asking])).run)).toEqual(PUSHED);
  expect(await greeting(product, asking)).toContain(FORMAL);
});

test(deep("if a person declines, the agent decides by itself; without `ask` nobody is asked"), async () => {
  await using product = await startProduct();
  const [, asking] = await begin(product, { ask: true });
  await asks(product, asking);
  await ask(product, ["answer", asking, "--deny"]);
  expect(ending((await ask(product, ["wait", asking])).run)).toEqual(PUSHED);
  expect(await greeting(product, asking)).toContain(CASUAL);
  const [, quiet] = await begin(product, {});
  expect(ending((await ask(product, ["wait", quiet])).run)).toEqual(PUSHED);
});
