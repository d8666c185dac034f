/** Tells how an attempt's files go back to what a run left, and that nothing is lost by it. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import { ask, exists, gate, PATIENCE_MS, refused, type TaskEnd } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

interface Twice {
  readonly first: TaskEnd;
  readonly second: TaskEnd;
  readonly worktree: string;
}

/** Two runs, and a person's edits after them. */
async function twoRuns(): Promise<Twice> {
  const first = await ask(product, [
    "run",
    "echo one > one.txt; mkdir d; echo d > d/d.txt",
    "--agent",
    "doer",
  ]);
  const second = await ask(product, [
    "continue",
    first.attempt.id,
    "echo two > one.txt; rm -r d; echo x > d",
  ]);
  const { worktree } = first.attempt;
  await writeFile(join(worktree, "mine.txt"), "mine\n");
  await writeFile(join(worktree, "kept.local"), "ignored\n");
  return { first, second, worktree };
}

async function done(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<OperationDocument> {
  const end = await product.tazuna([...args, "--json"], { env });
  if (end.code !== 0) throw new Error(`${end.stdout} ${end.stderr}`);
  return end.json<{ operation: OperationDocument }>().operation;
}

async function filesOf(worktree: string) {
  return {
    names: (await readdir(worktree)).sort(),
    one: await readFile(join(worktree, "one.txt"), "utf8"),
    ignored: await readFile(join(worktree, "kept.local"), "utf8"),
  };
}

const AS_FIRST = {
  names: [".git", ".gitignore", "README.md", "d", "kept.local", "one.txt"],
  one: "one\n",
  ignored: "ignored\n",
};
const AS_EDITED = { ...AS_FIRST, names: [...AS_FIRST.names, "mine.txt"].sort(), one: "two\n" };

test("the files go back to what a run left, ignored ones stay, and undo reverses it (promise 2.1)", async () => {
  const { first, second, worktree } = await twoRuns();
  const restored = await done(["restore", first.run.id.slice(0, 8)]);
  expect<unknown>(await filesOf(worktree)).toEqual(AS_FIRST);
  expect(await readFile(join(worktree, "d/d.txt"), "utf8")).toBe("d\n");
  expect(await product.sandbox.git(worktree, ["rev-parse", "HEAD"])).toBe(second.run.commit ?? "");
  expect(restored).toMatchObject({ kind: "run_restore", before: { run: first.run.id }, undoable: true });
  const kept = String(restored.before?.snapshot);
  expect(await product.sandbox.git(product.repository, ["cat-file", "-p", `${kept}:mine.txt`])).toBe("mine");
  const undone = await done(["undo", restored.id]);
  expect<unknown>(await filesOf(worktree)).toEqual(AS_EDITED);
  expect((await done(["undo", restored.id])).id).toBe(undone.id);
  await done(["undo", undone.id]);
  expect<unknown>(await filesOf(worktree)).toEqual(AS_FIRST);
});

test(
  deep("nothing is replaced during a run, over an ignored file, or if it holds a repository of its own"),
  async () => {
    await using barrier = gate(product, "restore");
    const { first, worktree } = await twoRuns();
    const wait = await ask(product, ["continue", first.attempt.id, barrier.wait, "--detach"]);
    await barrier.reached();
    expect((await refused(product, ["restore", first.run.id])).error.code).toBe("attempt_busy");
    await barrier.open();
    await ask(product, ["wait", wait.run.id]);
    await rm(join(worktree, "d"));
    await writeFile(join(worktree, ".gitignore"), "*.local\nd/\n");
    await mkdir(join(worktree, "d"));
    await writeFile(join(worktree, "d", "d.txt"), "secret\n");
    expect((await refused(product, ["restore", first.run.id])).error.message).toContain("d/d.txt");
    expect(await readFile(join(worktree, "d/d.txt"), "utf8")).toBe("secret\n");
    expect(await exists(join(worktree, "mine.txt"))).toBe(true);
    await product.sandbox.git(worktree, ["init", "--quiet", "nested"]);
    await writeFile(join(worktree, "nested", "x.txt"), "x");
    expect((await refused(product, ["restore", first.run.id])).error.code).toBe("not_contained");
    await ask(product, ["cancel", first.attempt.id]);
    expect((await refused(product, ["restore", first.run.id])).error.code).toBe("no_worktree");
  },
);

test(deep("a folder that would give way to a file keeps the ignored files in it"), async () => {
  const { first, second, worktree } = await twoRuns();
  await done(["restore", first.run.id]);
  await writeFile(join(worktree, "d", "secret.local"), "secret\n");
  expect((await refused(product, ["restore", second.run.id])).error.message).toContain("d/secret.local");
  expect(await readFile(join(worktree, "d/secret.local"), "utf8")).toBe("secret\n");
  await rm(join(worktree, "d", "secret.local"));
  await done(["restore", second.run.id]);
  expect(await readFile(join(worktree, "d"), "utf8")).toBe("x\n");
});

test(
  deep(
    "a follow-up that is sent while files go back begins when they are, and another restore waits as well",
  ),
  async () => {
    await using other = await startProduct();
    await using barrier = gate(other, "smudge");
    const { git } = other.sandbox;
    await other.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    const say = (args: readonly string[]) => ask(other, args);
    const first = await say([
      "run",
      "echo '*.slow filter=slow' > .gitattributes; echo 1 > a.slow",
      "--agent",
      "doer",
    ]);
    await say(["continue", first.attempt.id, "echo 2 > a.slow; echo late > late.txt"]);
    // Every checkout from now on waits at the gate.
    await git(other.repository, ["config", "--global", "filter.slow.smudge", `${barrier.wait}; cat`]);
    const restores = [first.run.id, first.run.id].map((id) => other.start(["restore", id, "--json"]));
    await barrier.reached();
    const next = await say([
      "continue",
      first.attempt.id,
      "cat a.slow > seen.local; ls late.txt >> seen.local 2>&1",
      "--detach",
    ]);
    // By the time that a whole run elsewhere is over, this one would have begun.
    await say(["run", "echo x > x.txt", "--agent", "doer"]);
    const waiting = await say(["show", first.document.task.id]);
    expect([waiting.run.id, waiting.run.phase]).toEqual([next.run.id, "preparing"]);
    await barrier.open();
    const ends = await Promise.all(restores.map(({ end }) => end));
    expect(ends.map(({ code }) => code)).toContain(0);
    const over = await say(["wait", next.run.id]);
    expect(over.run.status).toBe("SUCCEEDED");
    const seen = await readFile(join(first.attempt.worktree, "seen.local"), "utf8");
    expect(seen).toStartWith("1\n");
    expect(seen).toContain("No such file");
  },
);

for (const failpoint of ["before:run_restore", "after:run_restore"])
  test(
    deep(
      `a restore whose engine is killed at ${failpoint} is finished once by the next, and undo reverses it`,
    ),
    async () => {
      const { first, worktree } = await twoRuns();
      await product.killEngine();
      const reached = join(product.home, `reached-${failpoint.replace(":", "-")}`);
      const restored = await done(["restore", first.run.id], { TAZUNA_FAILPOINT: `${failpoint}@${reached}` });
      expect(existsSync(reached)).toBe(true);
      expect<unknown>(await filesOf(worktree)).toEqual(AS_FIRST);
      expect((await done(["restore", first.run.id])).id).toBe(restored.id);
      await done(["undo", restored.id]);
      expect<unknown>(await filesOf(worktree)).toEqual(AS_EDITED);
    },
  );
