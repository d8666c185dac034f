/** Tells where a run starts that works on a branch which exists (`--branch`), here, on the remote, or on both. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rename } from "node:fs/promises";
import type { DiffFiles } from "../../src/contract/endpoints/attempts.ts";
import { ask, changedPaths, ending, noteCodes, PATIENCE_MS, refused, subjects } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (...args: readonly string[]) => product.sandbox.git(product.repository, args);
const onBranch = (name: string, script: string) =>
  ask(product, ["run", script, "--agent", "doer", "--branch", name]);

test("one that is behind the remote's starts from the remote's commit", async () => {
  await product.sandbox.commitTo(product.origin, "topic", { "one.txt": "1\n" });
  await git("fetch", "--quiet");
  await git("branch", "topic", "origin/topic");
  const tip = await product.sandbox.commitTo(product.origin, "topic", { "two.txt": "2\n" });
  const end = await onBranch("topic", "cat two.txt > three.txt");
  expect<unknown>({
    ending: ending(end.run),
    parent: await product.sandbox.git(product.origin, ["rev-parse", "topic^"]),
    notes: noteCodes(end.run),
  }).toEqual({ ending: PUSHED, parent: tip, notes: ["synced"] });
});

test("one that has diverged from the remote's is merged with it before the agent begins", async () => {
  await product.sandbox.commitTo(product.origin, "forked", { "one.txt": "1\n" });
  await git("fetch", "--quiet");
  await git("branch", "forked", "main");
  const mine = await git("commit-tree", "-p", "main", "-m", "Mine", "main^{tree}");
  await git("branch", "--force", "forked", mine);
  const end = await onBranch("forked", "cat one.txt > three.txt");
  expect<unknown>([ending(end.run), noteCodes(end.run)]).toEqual([PUSHED, ["synced"]]);
  expect(await subjects(product, product.origin, "forked")).toContain("Mine");
});

test("one that only the remote has is made here from it; one that is nowhere is refused", async () => {
  const tip = await product.sandbox.commitTo(product.origin, "theirs", { "one.txt": "1\n" });
  const end = await onBranch("theirs", "echo more > more.txt");
  expect<unknown>({
    ending: ending(end.run),
    parent: await product.sandbox.git(product.origin, ["rev-parse", "theirs^"]),
    paths: await changedPaths(product, product.origin, "theirs"),
    branch: end.attempt.branch,
  }).toEqual({ ending: PUSHED, parent: tip, paths: ["more.txt"], branch: "theirs" });
  const nowhere = await product.tazuna(["run", "x", "--agent", "doer", "--branch", "nowhere", "--json"]);
  expect([nowhere.code, nowhere.json<{ error: { code: string } }>().error.code]).toEqual([
    2,
    "branch_missing",
  ]);
  const prefixed = await refused(product, ["run", "x", "--agent", "doer", "--branch", "origin/theirs"]);
  expect([prefixed.error.code, prefixed.error.remedy]).toEqual([
    "branch_missing",
    "Name it without the remote: `--branch theirs`.",
  ]);
  await rename(product.origin, `${product.origin}.away`);
  const unanswered = await refused(product, ["run", "x", "--agent", "doer", "--branch", "only-there"]);
  await rename(`${product.origin}.away`, product.origin);
  expect(unanswered.error.message).toBe('There is no branch "only-there" here, and origin did not answer.');
});

test("its base is where it left the base branch: the diff holds all of it, also after a base merge", async () => {
  const main = await git("rev-parse", "main");
  await git("branch", "half-done", await git("commit-tree", "-p", "main", "-m", "Half", "main^{tree}"));
  await product.sandbox.commitTo(product.repository, "half-done", { "half.txt": "1\n2\n" });
  const tip = await git("rev-parse", "half-done");
  const first = await onBranch("half-done", "true");
  const half = { files: 1, additions: 2, deletions: 0 };
  expect(first.attempt).toMatchObject({
    state: "no_changes",
    base: { branch: "main", sha: main },
    changes: half,
    commit: null,
  });
  const diff = await product.tazuna(["diff", first.attempt.id, "--json"]);
  expect(diff.json<DiffFiles>().files).toEqual([
    { path: "half.txt", status: "added", additions: 2, deletions: 0, sizes: null },
  ]);
  const moved = await product.sandbox.commitTo(product.origin, "main", { "main.txt": "m\n" });
  const id = first.attempt.id;
  const next = await ask(product, ["continue", id, "echo more > more.txt", "--merge-base"]);
  expect(next.attempt).toMatchObject({
    state: "pushed",
    base: { branch: "main", sha: moved },
    changes: { files: 2, additions: 3, deletions: 0 },
  });
  expect(await git("merge-base", tip, next.attempt.commit ?? "")).toBe(tip);
});
