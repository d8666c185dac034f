/** Tells that an attempt takes no branch of others', here or at any place that it is pushed to. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import {
  ask,
  branchAt,
  changedPaths,
  ending,
  exists,
  fileAt,
  gate,
  noteCodes,
  PATIENCE_MS,
  type TaskEnd,
} from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

let product: Product;
let fork: string;

beforeAll(async () => {
  product = await startProduct();
  fork = join(product.origin, "..", "fork.git");
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  await git(product.repository, "clone", "--quiet", "--bare", product.origin, fork);
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (at: string, ...args: readonly string[]) => product.sandbox.git(at, args);
const settings = (...args: readonly string[]) => git(product.repository, "config", ...args);
const run = (script: string, ...more: string[]) => ask(product, ["run", script, "--agent", "doer", ...more]);

/** How it ended, what its branch is called, and what a colleague's branch of that template holds. */
async function seen(end: TaskEnd, at = product.origin, colleague = "feature") {
  return {
    ending: ending(end.run),
    branch: end.attempt.branch,
    paths: await changedPaths(product, at, end.attempt.branch),
    colleague: await git(at, "log", "--format=%s", colleague),
  };
}

async function renamings(attempt: string): Promise<readonly { kind: string }[]> {
  const end = await product.tazuna(["activity", attempt, "--json"]);
  const { operations } = end.json<{ operations: { kind: string }[] }>();
  return operations.filter(({ kind }) => kind === "branch_renamed");
}

/** A colleague's branch without commits of its own: a push of an agent's work onto it would be a fast-forward. */
const colleagues = (name: string, at = product.origin) => git(at, "branch", name, "main");

test("a branch that only the remote has counts as taken, also without {id8} and in another case", async () => {
  await product.configure({ branch: "feature" });
  await colleagues("feature");
  await colleagues("Feature-2");
  expect<unknown>(await seen(await run("echo one > one.txt"))).toEqual({
    ending: PUSHED,
    branch: "feature-3",
    paths: ["one.txt"],
    colleague: "First",
  });
});

test(
  deep("the push remote is asked, if the fetch is partial or the push goes elsewhere, offline too"),
  async () => {
    await product.configure({ branch: "topic" });
    await colleagues("topic");
    await settings("remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main");
    const single = await seen(await run("echo two > two.txt"), product.origin, "topic");
    await settings("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
    await git(product.origin, "branch", "late", "main");
    await product.configure({ branch: "late" });
    const offline = await seen(await run("echo three > three.txt", "--offline"), product.origin, "late");

    await git(product.repository, "remote", "add", "fork", fork);
    await colleagues("forked", fork);
    await product.configure({ branch: "forked", push_remote: "fork" });
    const forked = await seen(await run("echo four > four.txt"), fork, "forked");
    await product.configure({ branch: "address", push_remote: null });
    await colleagues("address", fork);
    await settings("remote.origin.pushurl", fork);
    const address = await seen(await run("echo five > five.txt"), fork, "address");
    await settings("--unset", "remote.origin.pushurl");
    expect<unknown>([single, offline, forked, address]).toEqual(
      [
        ["topic-2", "two.txt"],
        ["late-2", "three.txt"],
        ["forked-2", "four.txt"],
        ["address-2", "five.txt"],
      ].map(([branch, path]) => ({ ending: PUSHED, branch, paths: [path], colleague: "First" })),
    );
  },
);

test("a remote branch that excludes the name blocks it before the agent starts, and is named", async () => {
  await product.configure({ branch: "tazuna/{id8}" });
  await colleagues("tazuna");
  const folder = await run("touch ran");
  await git(product.origin, "branch", "-D", "tazuna");
  await product.configure({ branch: "deep" });
  await colleagues("deep/er/still");
  const below = await run("touch ran");
  expect<unknown>(
    [folder, below].map(({ run, attempt }) => [
      run.failure?.code,
      run.failure?.message.replace(attempt.branch, "NAME"),
      run.isolation,
    ]),
  ).toEqual([
    ["branch_name_blocked", "The branch NAME cannot be pushed beside the branch tazuna of origin.", null],
    [
      "branch_name_blocked",
      "The branch NAME cannot be pushed beside the branch deep/er/still of origin.",
      null,
    ],
  ]);
  expect([await exists(folder.attempt.worktree), await exists(below.attempt.worktree)]).toEqual([
    false,
    false,
  ]);
});

test(
  deep(
    "if others take the name before the first push, the branch is renamed everywhere, and nothing is merged",
  ),
  async () => {
    await product.configure({ branch: "race" });
    await using working = gate(product, "race");
    const going = run(`${working.wait}; echo six > six.txt`);
    await working.reached();
    await product.sandbox.commitTo(product.origin, "race", { "theirs.txt": "theirs\n" });
    await git(product.repository, "config", "branch.race.description", "What it is for");
    await working.open();
    const end = await going;
    expect<unknown>({
      ...(await seen(end, product.origin, "main")),
      merges: await git(product.origin, "rev-list", "--merges", "--count", "race-2"),
      theirs: await git(product.origin, "log", "-1", "--format=%s", "race"),
      notes: end.run.notes.map(({ code, message, details }) => [code, message, details]),
      here: [
        await branchAt(product, product.repository, "race"),
        await branchAt(product, product.repository, "race-2"),
      ],
      head: await git(end.attempt.worktree, "symbolic-ref", "HEAD"),
      settings: await git(product.repository, "config", "--get-regexp", "^branch\\.race"),
    }).toEqual({
      ending: PUSHED,
      branch: "race-2",
      paths: ["six.txt"],
      colleague: "First",
      merges: "0",
      theirs: "change on race",
      notes: [
        [
          "branch_renamed",
          "Another person made the branch race on origin meanwhile. This attempt's branch is race-2 now.",
          { from: "race", to: "race-2" },
        ],
      ],
      here: [null, end.run.commit],
      head: "refs/heads/race-2",
      settings:
        "branch.race-2.description What it is for\nbranch.race-2.remote origin\nbranch.race-2.merge refs/heads/race-2",
    });
    const next = await ask(product, ["continue", end.attempt.id, "echo seven > seven.txt"]);
    expect<unknown>([ending(next.run), next.attempt.branch]).toEqual([PUSHED, "race-2"]);
    expect(await renamings(end.attempt.id)).toHaveLength(1);
  },
);

test("a push whose answer was lost is this attempt's own: what others put on top of it is merged", async () => {
  await product.configure({ branch: "lost", checks: [{ name: "red", run: "exit 1" }] });
  const red = await run("echo eight > eight.txt");
  await product.configure({ checks: [] });
  const { commit } = red.run;
  await git(product.repository, "push", "--quiet", "origin", `${commit}:refs/heads/lost`);
  await product.sandbox.commitTo(product.origin, "lost", { "top.txt": "top\n" });
  const next = await ask(product, ["continue", red.attempt.id, "echo nine > nine.txt"]);
  expect<unknown>([ending(next.run), next.attempt.branch]).toEqual([PUSHED, "lost"]);
  expect<unknown>([
    await fileAt(product, product.origin, "lost", "top.txt"),
    await fileAt(product, product.origin, "lost", "nine.txt"),
  ]).toEqual(["top", "nine"]);
});

test("a name that others took before a follow-up is given up too: what they have there is not merged", async () => {
  await product.configure({ branch: "idle", checks: [{ name: "red", run: "exit 1" }] });
  const red = await run("echo ten > ten.txt");
  await product.configure({ checks: [] });
  await product.sandbox.commitTo(product.origin, "idle", { "theirs.txt": "theirs\n" });
  const next = await ask(product, ["continue", red.attempt.id, "ls > eleven.txt"]);
  expect<unknown>({
    ...(await seen(next, product.origin, "main")),
    saw: await fileAt(product, product.origin, "idle-2", "eleven.txt"),
    theirs: await git(product.origin, "log", "-1", "--format=%s", "idle"),
    notes: noteCodes(next.run),
  }).toEqual({
    ending: PUSHED,
    branch: "idle-2",
    paths: ["eleven.txt"],
    colleague: "First",
    saw: "README.md\neleven.txt\nten.txt",
    theirs: "change on idle",
    notes: ["branch_taken", "branch_renamed"],
  });
});

test(
  deep(
    "a branch that excludes the name before the first push: another name is used, else the branch is named",
  ),
  async () => {
    const whileWorking = async (template: string, others: string) => {
      await product.configure({ branch: template });
      await using working = gate(product, others.replace("/", "-"));
      const going = run(`${working.wait}; echo twelve > twelve.txt`);
      await working.reached();
      await colleagues(others);
      await working.open();
      return going;
    };
    const below = await whileWorking("flat", "flat/er");
    const above = await whileWorking("room/{id8}", "room");
    await sh(above.run.failure?.remedy ?? "");
    const again = await ask(product, ["retry", above.run.id, "--from", "push"]);
    expect<unknown>([
      [ending(below.run), below.attempt.branch],
      [above.run.failure?.code, above.run.failure?.message.replace(above.attempt.branch, "NAME")],
      [ending(again.run), again.attempt.branch, await branchAt(product, product.origin, "room-old")],
    ]).toEqual([
      [PUSHED, "flat-2"],
      ["branch_name_blocked", "The branch NAME cannot be pushed beside the branch room of origin."],
      [PUSHED, above.attempt.branch, await branchAt(product, product.origin, "main")],
    ]);
  },
);

/** Does what stands first between backquotes in a remedy. */
const sh = (remedy: string) =>
  Bun.$`sh -c ${/`([^`]+)`/.exec(remedy)?.[1] ?? "exit 1"}`.env(product.env).quiet();
