/** Tells that work which `git add` skips silently is told: in an unfilled submodule, or under an agent's own rules. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, changedPaths, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (...args: readonly string[]) => product.sandbox.git(product.repository, args);
const run = (script: string) => ask(product, ["run", script, "--agent", "doer"]);

test("files that an agent's own ignore rules hide are told with their number; those of older rules are not", async () => {
  await product.configure({ setup: ["mkdir env && echo '*' > env/.gitignore && touch env/made"] });
  const end = await run(
    "mkdir -p out/deep; echo '*' > out/.gitignore; touch out/a out/deep/b; echo '*.tmp' >> .gitignore; touch x.tmp y.local; echo one > one.txt",
  );
  const notes = end.run.notes.filter(({ code }) => code === "hidden_by_own_rules");
  expect<unknown>({
    ending: ending(end.run),
    paths: await changedPaths(product, product.origin, end.attempt.branch),
    notes: notes.map(({ message, details }) => [message.split(",")[0], details.paths]),
  }).toEqual({
    ending: PUSHED,
    paths: [".gitignore", "one.txt"],
    notes: [["4 files are not committed", ["out/.gitignore", "out/a", "out/deep/b", "x.tmp"]]],
  });
  await product.configure({ setup: [] });
});

test("rules outside of the worktree, of earlier runs, in files that look old or that hide themselves count too", async () => {
  const exclude = join(product.repository, ".git", "info", "exclude");
  await writeFile(exclude, "mine-*\n");
  const first = await run(
    `echo 'his-*' >> '${exclude}'; mkdir -p ~/.config/git; echo 'global-*' > ~/.config/git/ignore; touch mine-1 his-1 global-1; mkdir own; echo '*' > own/.gitignore; echo '*.q' >> .gitignore; touch -d 2001-01-01 .gitignore own/.gitignore; echo two > two.txt`,
  );
  const next = await ask(product, ["continue", first.attempt.id, "touch own/b 1.q his-2 mine-2"]);
  await rm(exclude);
  const told = ({ run }: typeof first) =>
    run.notes.find(({ code }) => code === "hidden_by_own_rules")?.details;
  expect<unknown>([told(first), told(next)]).toEqual([
    { count: 3, paths: ["global-1", "his-1", "own/.gitignore"] },
    { count: 5, paths: ["1.q", "his-1", "his-2", "own/.gitignore", "own/b"] },
  ]);
});

test(deep("files in the folder of a submodule that was never filled are a finding of the gate"), async () => {
  const inner = await product.sandbox.origin("inner.git");
  await git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib");
  await git("commit", "--quiet", "-m", "With a submodule");
  await git("push", "--quiet", "origin", "main");
  const empty = await run("mkdir -p lib/build/deep; echo one > one.txt");
  expect<unknown>(ending(empty.run)).toEqual(PUSHED);
  const end = await run("echo work > lib/work.txt; echo one > one.txt");
  expect([ending(end.run), end.run.failure?.details.findings]).toMatchObject([
    { failure: "gate_rejected" },
    [{ rule: "dirty_submodule", path: "lib" }],
  ]);
  const moved = await ask(product, ["continue", end.attempt.id, "mv lib/work.txt work.txt"]);
  expect<unknown>([
    ending(moved.run),
    await changedPaths(product, product.origin, end.attempt.branch),
  ]).toEqual([PUSHED, ["one.txt", "work.txt"]]);
});
