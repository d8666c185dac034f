/** Tells what becomes of files that setup commands change: they are not the agent's work until they change again. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunDocument } from "../../src/contract/task-document.ts";
import {
  ask,
  changedPaths,
  ending,
  fileAt,
  gate,
  PAST_THE_GUARD,
  PATIENCE_MS,
  refused,
  subjects,
  type TaskEnd,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  await product.sandbox.commitTo(product.origin, "locked", {
    "lock.json": "0\n",
    "old.txt": "old\n",
    "run.sh": "true\n",
  });
});

afterAll(() => product[Symbol.asyncDispose]());

const run = (script: string, ...more: string[]) =>
  ask(product, ["run", script, "--agent", "doer", "--base", "locked", ...more]);
const next = (end: TaskEnd, ...script: string[]) => ask(product, ["continue", end.attempt.id, ...script]);
const here = (end: TaskEnd, path: string) => readFile(join(end.attempt.worktree, path), "utf8");

async function committed(end: TaskEnd) {
  return { ending: ending(end.run), paths: await changedPaths(product, product.origin, end.attempt.branch) };
}

const noted = ({ notes }: RunDocument) =>
  notes.filter(({ code }) => /setup/.test(code)).map(({ code, details }) => [code, details.path]);

test(
  deep("what setup changed is in no commit and no diff of the attempt; changed again, it is the agent's"),
  async () => {
    await product.configure({
      setup: ["echo 1 > lock.json; rm old.txt; chmod +x run.sh; echo made > made.txt"],
    });
    const first = await run("echo one > one.txt");
    const left = ["lock.json", "made.txt", "old.txt", "run.sh"].map((path) => ["left_by_setup", path]);
    const diff = (await product.tazuna(["diff", first.attempt.id, "--json"])).json<{
      files: { path: string }[];
    }>();
    expect<unknown>({
      ...(await committed(first)),
      notes: noted(first.run),
      diff: diff.files.map(({ path }) => path),
      said: first.run.notes[0]?.message,
      there: await here(first, "lock.json"),
    }).toEqual({
      ending: PUSHED,
      paths: ["one.txt"],
      notes: left,
      diff: ["one.txt"],
      said: "lock.json is as the setup left it and is not committed",
      there: "1\n",
    });
    const second = await next(first, "echo 2 >> lock.json");
    expect<unknown>({
      ...(await committed(second)),
      notes: noted(second.run),
      lock: await fileAt(product, product.origin, second.attempt.branch, "lock.json"),
    }).toEqual({
      ending: PUSHED,
      paths: ["lock.json"],
      notes: [["left_by_setup", "made.txt"], ...left.slice(2), ["changed_after_setup", "lock.json"]],
      lock: "1\n2",
    });
    const nothing = await next(first, "true");
    expect<unknown>(ending(nothing.run)).toEqual({ status: "SUCCEEDED", outcome: "no_changes" });
    // Back to an earlier run: the setup's files are there again, and still the setup's.
    expect((await product.tazuna(["restore", first.run.id, "--json"])).code).toBe(0);
    const restored = await next(first, "echo three > three.txt");
    expect((await committed(restored)).paths).not.toContain("made.txt");
  },
);

test("what others pushed meanwhile over a file of the setup is merged in", async () => {
  const first = await run("echo one > one.txt");
  await product.sandbox.commitTo(product.origin, first.attempt.branch, { "lock.json": "7\n" });
  const second = await next(first, "echo two > two.txt");
  expect<unknown>({ ...(await committed(second)), lock: await here(second, "lock.json") }).toEqual({
    ending: PUSHED,
    paths: ["two.txt"],
    lock: "7\n",
  });
});

test(deep("what setup changed does not keep an attempt from `clean`; later changes do"), async () => {
  await product.configure({ setup: ["echo 1 > lock.json; echo made > made.txt"] });
  const finished = await run("echo one > one.txt");
  const edited = await run("echo one > one.txt");
  await writeFile(join(edited.attempt.worktree, "lock.json"), "mine\n");
  for (const { attempt } of [finished, edited])
    await product.sandbox.git(product.origin, ["branch", `merged-${attempt.id}`, attempt.branch]);
  const { removed } = (await product.tazuna(["clean", "--json"])).json<{ removed: { id: string }[] }>();
  const ids = removed.map(({ id }) => id);
  expect([ids.includes(finished.attempt.id), ids.includes(edited.attempt.id)]).toEqual([true, false]);
});

test(
  deep("what a setup left that failed, or whose engine was killed, is not the agent's either"),
  async () => {
    const marker = join(product.home, "once");
    await product.configure({ setup: [`echo 1 > lock.json; [ -e '${marker}' ]`] });
    const failed = await run("echo one > one.txt");
    expect(failed.run.failure?.code).toBe("setup_failed");
    await product.configure({ setup: [`touch '${marker}'; rm -f old.txt`] });
    const again = await ask(product, ["retry", failed.run.id]);
    expect<unknown>(await committed(again)).toEqual({ ending: PUSHED, paths: ["one.txt"] });

    await using killing = gate(product, "setup");
    const killed = join(product.home, "killed");
    await product.configure({
      setup: [`[ -e '${killed}' ] || { touch '${killed}'; echo k > lock.json; ${killing.wait}; }; true`],
    });
    const going = run("echo one > one.txt");
    await killing.reached();
    await product.killEngine();
    await killing.open();
    expect<unknown>(await committed(await going)).toEqual({ ending: PUSHED, paths: ["one.txt"] });
  },
);

test(deep("what a setup stages, commits or hides from git is not the agent's either"), async () => {
  const ways = [
    "echo made > made.txt; git add -A",
    "git commit --quiet -am Setup; echo 2 > lock.json; git switch --quiet --create elsewhere",
    "git update-index --assume-unchanged lock.json; git update-index --skip-worktree run.sh; chmod +x run.sh",
  ];
  for (const way of ways) {
    await product.configure({ setup: [`${PAST_THE_GUARD}echo 1 > lock.json; ${way}`] });
    const first = await run("echo one > one.txt");
    const paths = await committed(first);
    const second = await next(first, "echo two > two.txt");
    expect<unknown>([
      paths,
      await committed(second),
      await subjects(product, product.origin, first.attempt.branch),
    ]).toEqual([
      { ending: PUSHED, paths: ["one.txt"] },
      { ending: PUSHED, paths: ["two.txt"] },
      ["Echo two > two.txt", "Echo one > one.txt", "change on locked"],
    ]);
    expect(noted(first.run)).toContainEqual(["left_by_setup", "lock.json"]);
  }
});

test("two checks of one name are refused before anything is made, and both are named", async () => {
  await product.configure({
    setup: [],
    checks: [
      { name: "test", run: "true" },
      { name: "lint", run: "true" },
      { name: "test", run: "false" },
    ],
  });
  const answer = await refused(product, ["run", "Hello", "--agent", "doer"]);
  expect([answer.code, answer.error.code, answer.error.message]).toEqual([
    2,
    "bad_configuration",
    `${join(product.home, "config.json")}:1: "checks.2.name": two checks are called "test"; give each check a name of its own`,
  ]);
});
