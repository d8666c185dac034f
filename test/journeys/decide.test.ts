/** Walks from several attempts to one that was chosen: comparison, decision, and what becomes of the others. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { ComparisonDocument, DecisionDocument } from "../../src/contract/endpoints/decisions.ts";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import type { TrashDocument } from "../../src/contract/endpoints/trash.ts";
import { ask, PATIENCE_MS, refused, usersSide } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("careful", "echo careful > both.txt; echo same > same.txt; echo a > a.txt; echo Done.");
  await product.agent("quick", "echo quick > both.txt; echo same > same.txt; echo Done.");
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

const compare = async (task: string, ...flags: string[]) =>
  (await product.tazuna(["compare", task, "--json", ...flags])).json<ComparisonDocument>();

async function choose(attempt: string, reason: string, ...flags: string[]): Promise<DecisionDocument> {
  const end = await product.tazuna(["choose", attempt, "--reason", reason, "--json", ...flags]);
  if (end.code !== 0) throw new Error(end.stdout);
  return end.json<{ decision: DecisionDocument }>().decision;
}

test("attempts are compared by what they changed, names hidden until one is chosen", async () => {
  const before = await usersSide(product);
  const end = await ask(product, ["run", "Write it.", "--agent", "careful", "--agent", "quick"]);
  const [careful, quick] = end.attempts;
  if (careful === undefined || quick === undefined) throw new Error("two attempts");
  const { task, attempts } = await compare(end.document.task.id);
  expect([task.id, task.decision]).toEqual([end.document.task.id, null]);
  expect(attempts.map(({ letter }) => letter).toSorted()).toEqual(["A", "B"]);
  expect(attempts[0]).toMatchObject({
    id: careful.id,
    agent: "careful",
    state: "pushed",
    commit: careful.commit,
    checks: null,
    files: 3,
    additions: 3,
    deletions: 0,
    usage: null,
    duration_s: expect.any(Number),
    comments: null,
    chosen: false,
    overlap: [
      {
        attempt: quick.id,
        files: 2,
        identical: 1,
        paths: [
          { path: "both.txt", identical: false },
          { path: "same.txt", identical: true },
        ],
      },
    ],
  });
  const hidden = await compare(task.id, "--hide-names");
  expect(JSON.stringify(hidden)).not.toMatch(/careful|quick/);
  expect(hidden.attempts.map(({ letter }) => letter)).toEqual(["A", "B"]);
  expect(await compare(task.id, "--hide-names")).toEqual(hidden);
  const shown = await product.tazuna(["compare", task.id, "--hide-names"]);
  expect(shown.stdout).toContain("(hidden)");
  expect(shown.stdout).toMatch(/differs +both\.txt/);

  const first = await choose(quick.id, "It is small.");
  expect(first).toMatchObject({
    attempt: quick.id,
    alternatives: [careful.id],
    reason: "It is small.",
    tripwire: null,
  });
  const again = await choose(careful.id, "It is whole.", "--tripwire", "A bug report", "--trash-others");
  expect(again).toMatchObject({
    attempt: careful.id,
    alternatives: [quick.id],
    tripwire: "A bug report",
    trashed: [quick.id],
    by: expect.stringContaining("<"),
    issue: "Write it.",
    replaced_at: null,
  });
  expect(again.evidence.map(({ id, commit, files }) => ({ id, commit, files }))).toEqual([
    { id: careful.id, commit: careful.commit, files: 3 },
    { id: quick.id, commit: quick.commit, files: 2 },
  ]);
  expect(
    (await compare(task.id, "--hide-names")).attempts.map(({ agent, chosen }) => [agent, chosen]),
  ).toEqual([
    ["careful", true],
    ["quick", false],
  ]);
  await waitFor("the other one to be in the trash", async () => {
    const trash = (await product.tazuna(["trash", "list", "--json"])).json<{
      entries: readonly TrashDocument[];
    }>();
    return trash.entries.some(({ attempt }) => attempt === quick.id);
  });
  const list = await product.tazuna(["activity", task.id, "--json"]);
  const acts = list.json<{ operations: readonly OperationDocument[] }>().operations;
  expect(acts.filter(({ kind }) => kind === "choose").map(({ after }) => after?.trashed)).toEqual([
    [quick.id],
    [],
  ]);
  expect(acts.some(({ kind, subject }) => kind === "trash" && subject.id === quick.id)).toBe(true);
  for (const id of [task.id, careful.id, quick.id])
    expect((await product.tazuna(["show", id])).stdout).toContain("It is whole.");
  expect((await product.tazuna(["list"])).stdout).toContain(`${careful.id.slice(0, 8)} *`);
  const diff = await product.tazuna(["diff", careful.id, quick.id]);
  expect(diff.stdout).toContain("-careful\n+quick");
  expect(await usersSide(product, { ours: [careful.branch] })).toEqual(before);
  const gone = await refused(product, ["choose", quick.id, "--reason", "Back to it"]);
  expect([gone.code, gone.error.code]).toEqual([1, "attempt_canceled"]);
});
