/** Tells that an engine which is killed while it makes or renames a branch goes on from there. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { ask, branchAt, changedPaths, gate, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { deep } from "../../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (at: string, ...args: readonly string[]) => product.sandbox.git(at, args);

/** A run in the background whose engine is killed at the point, once. */
async function startKilled(point: string, args: readonly string[]): Promise<TaskEnd> {
  await product.killEngine();
  const reached = join(product.home, point.replace(":", "-"));
  return ask(product, [...args, "--agent", "doer", "--detach"], {
    env: { TAZUNA_FAILPOINT: `${point}@${reached}` },
  });
}

/** The attempt once its run has ended, by the next engine if the first one is gone. */
async function endOf({ attempt }: TaskEnd): Promise<TaskEnd["attempt"] | undefined> {
  const waiting = await product.tazuna(["wait", attempt.id, "--json"]);
  const end = waiting.code === 0 ? waiting : await product.tazuna(["wait", attempt.id, "--json"]);
  return end.json<TaskEnd["document"]>().attempts[0];
}

async function begun(attempt: string, kind: string): Promise<number> {
  const end = await product.tazuna(["activity", attempt, "--json"]);
  const { operations } = end.json<{ operations: { kind: string }[] }>();
  return operations.filter((operation) => operation.kind === kind).length;
}

test.each(["before:branch_renamed", "after:branch_renamed"])(deep("renaming a branch: %s"), async (point) => {
  const name = `killed-${point.split(":")[0]}`;
  await product.configure({ branch: name });
  await using working = gate(product, name);
  const started = await startKilled(point, ["run", `${working.wait}; echo ten > ten.txt`]);
  await working.reached();
  await product.sandbox.commitTo(product.origin, name, { "theirs.txt": "theirs\n" });
  await working.open();
  const attempt = await endOf(started);
  expect<unknown>({
    branch: attempt?.branch,
    run: attempt?.runs.at(-1)?.outcome,
    here: await branchAt(product, product.repository, name),
    head: await git(attempt?.worktree ?? "", "symbolic-ref", "HEAD"),
    paths: await changedPaths(product, product.origin, `${name}-2`),
    begun: await begun(started.attempt.id, "branch_renamed"),
  }).toEqual({
    branch: `${name}-2`,
    run: "pushed",
    here: null,
    head: `refs/heads/${name}-2`,
    paths: ["ten.txt"],
    begun: 2,
  });
});

test.each(["before:branch_created", "after:branch_created"])(deep("making a branch: %s"), async (point) => {
  const name = `theirs-${point.split(":")[0]}`;
  const tip = await product.sandbox.commitTo(product.origin, name, { "theirs.txt": "theirs\n" });
  const started = await startKilled(point, ["run", "echo mine > mine.txt", "--branch", name]);
  const attempt = await endOf(started);
  expect<unknown>({
    branch: attempt?.branch,
    run: attempt?.runs.at(-1)?.outcome,
    parent: await git(product.origin, "rev-parse", `${name}^`),
    paths: await changedPaths(product, product.origin, name),
  }).toEqual({ branch: name, run: "pushed", parent: tip, paths: ["mine.txt"] });
});
