/** Walks from several attempts to one that was chosen: comparison, decision, and what becomes of the others. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "../../src/contract/client/client.ts";
import type { ComparisonDocument, DecisionDocument } from "../../src/contract/endpoints/decisions.ts";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import type { TrashDocument } from "../../src/contract/endpoints/trash.ts";
import { ask, PATIENCE_MS, refused, usersSide } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
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

test(deep("attempts are compared by what they changed, names hidden until one is chosen"), async () => {
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

  // A choice is undone like an act on git; the record stays.
  const chosen = await product.tazuna(["choose", careful.id, "--reason", "In haste."]);
  const [, undo = ""] = /`tazuna (undo \w+)` takes it back/.exec(chosen.stdout) ?? [];
  expect((await product.tazuna(undo.split(" "))).code).toBe(0);
  expect((await product.tazuna(undo.split(" "))).code).toBe(0);
  expect((await compare(task.id)).task.decision).toBeNull();
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
  const choices = acts.filter(({ kind }) => kind === "choose");
  expect(choices.map(({ after, undoable }) => [after?.trashed, undoable])).toEqual([
    [[quick.id], true],
    [[], false],
    [[], false],
  ]);
  const replaced = await refused(product, ["undo", choices[1]?.id ?? ""]);
  expect(replaced.error.code).toBe("decision_changed");
  expect(acts.some(({ kind, subject }) => kind === "trash" && subject.id === quick.id)).toBe(true);
  for (const id of [task.id, careful.id, quick.id])
    expect((await product.tazuna(["show", id])).stdout).toContain("It is whole.");
  expect((await product.tazuna(["list"])).stdout).toContain(`${careful.id.slice(0, 8)} *`);
  const diff = await product.tazuna(["diff", careful.id, quick.id]);
  expect(diff.stdout).toContain("-careful\n+quick");
  expect(await usersSide(product, { ours: [careful.branch] })).toEqual(before);
  // The choice before it holds again, although its attempt is in the trash.
  await product.tazuna(["undo", choices[0]?.id ?? ""]);
  expect((await compare(task.id)).task.decision).toMatchObject({ id: first.id, attempt: quick.id });
  const gone = await refused(product, ["choose", quick.id, "--reason", "Back to it"]);
  expect([gone.code, gone.error.code]).toEqual([1, "attempt_canceled"]);
});

test("of two people who choose at once, the second is told what the first chose", async () => {
  const end = await ask(product, ["run", "Race.", "--agent", "quick", "--agent", "quick"]);
  const [one, other] = end.attempts.map(({ id }) => id);
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const client = createClient({ url, token, fetch });
  const asked = (attempt = "", more: object = {}) => ({ attempt, reason: "First.", ...more });
  const both = await Promise.all(
    [one, other].map((id) => client.choose(asked(id, { replaces: null, trash_others: true }))),
  );
  const [refusal] = both.flatMap((each) => (each.isErr() ? [each.error] : []));
  const [made] = both.flatMap((each) => (each.isOk() ? [each.value.decision] : []));
  expect([both.filter((each) => each.isOk()).length, refusal?.kind]).toEqual([1, "conflict"]);
  expect(["decision_changed", "attempt_canceled"]).toContain(refusal?.code ?? "");
  const key = { key: "choose-once" };
  const again = await client.choose(asked(made?.attempt), key);
  const same = await client.choose(asked(made?.attempt), key);
  expect(same._unsafeUnwrap()).toEqual(again._unsafeUnwrap());
  const { items } = (await client.decisions({ task: end.document.task.id }))._unsafeUnwrap();
  expect(items.map(({ id, replaced_at }) => [id, replaced_at === null])).toEqual([
    [again._unsafeUnwrap().decision.id, true],
    [made?.id ?? "", false],
  ]);
  expect((await client.decisions({ limit: 1 }))._unsafeUnwrap().next).not.toBeNull();
});

test(deep("what cannot be chosen or compared is refused, and one attempt alone can be both"), async () => {
  const { attempt, document } = await ask(product, ["run", "echo one > one.txt", "--agent", "doer"]);
  const codes: unknown[] = [];
  for (const args of [
    ["choose", attempt.id],
    ["choose", attempt.id, "--reason", " "],
    ["choose", "unknown", "--reason", "x"],
    ["choose", "", "--reason", "x"],
    ["compare", "unknown"],
    ["diff", attempt.id, "unknown"],
  ]) {
    const { code, error } = await refused(product, args);
    codes.push([code, error.code]);
  }
  expect(codes).toEqual([
    [2, "bad_usage"],
    [2, "bad_usage"],
    [1, "not_found"],
    [2, "bad_usage"],
    [1, "not_found"],
    [1, "not_found"],
  ]);
  const alone = await compare(document.task.id);
  expect(alone.attempts.map(({ letter, overlap, files }) => [letter, overlap, files])).toEqual([
    ["A", [], 1],
  ]);
  const decision = await choose(attempt.id, "The only one.", "--trash-others");
  expect([decision.alternatives, decision.trashed]).toEqual([[], []]);
  const elsewhere = await product.sandbox.repository("elsewhere");
  const far = await ask(product, ["run", "echo two > two.txt", "--agent", "doer", "--repo", elsewhere]);
  expect((await refused(product, ["diff", attempt.id, far.attempt.id])).error.code).toBe(
    "another_repository",
  );
});

test(deep("attempts that work or were never begun are compared by what is known of them"), async () => {
  const hold = join(product.home, "hold");
  const script = `echo one > one.txt; while ! [ -e '${hold}' ]; do sleep 0.05; done`;
  const end = await ask(product, ["run", script, "--agent", "doer", "--agent", "doer", "--detach"]);
  const [one] = end.attempts.map(({ id }) => id);
  await waitFor("both to work", async () => {
    const now = await compare(end.document.task.id);
    return now.attempts.every(({ duration_s }) => (duration_s ?? 0) > 0);
  });
  const { attempts } = await compare(end.document.task.id);
  for (const { state, commit, files, additions, checks, changed, usage, comments, overlap } of attempts)
    expect({ state, commit, files, additions, checks, changed, usage, comments, overlap }).toEqual({
      state: "working",
      ...{
        commit: null,
        files: null,
        additions: null,
        checks: null,
        changed: null,
        usage: null,
        comments: null,
      },
      overlap: [{ attempt: expect.any(String), files: null, identical: null, paths: null }],
    });
  const decision = await choose(one ?? "", "It is the faster one.", "--trash-others");
  expect(decision.trashed.length).toBe(1);
  await writeFile(hold, "");
  const done = await product.tazuna(["wait", one ?? ""]);
  expect(done.code).toBe(0);
  const shown = (await product.tazuna(["show", end.document.task.id, "--json"])).json();
  await waitFor("the other to be put away", async () => {
    const now = (await product.tazuna(["show", end.document.task.id, "--json"])).json();
    return now.attempts.map(({ state }) => state).join() === "pushed,removed";
  });
  expect(shown.task.decision?.attempt).toBe(one ?? "");
});
