/**
 * Removes an attempt's worktree, registration or branch at each phase of a run: nothing is lost, and the remedy
 * works.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ask,
  branchAt,
  ending,
  exists,
  noteCodes,
  PATIENCE_MS,
  type TaskEnd,
} from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "../crash/data-folder.ts";
import { eventually } from "../crash/eventually.ts";
import { whatIsWrong } from "../crash/what-is-wrong.ts";
import { type Held, holdable, type Phase, whileAt } from "./phases.ts";

setDefaultTimeout(PATIENCE_MS);

const product = await startProduct();
await holdable(product);
const git = (...args: string[]) => product.sandbox.git(product.repository, args);

afterAll(async () => {
  try {
    const wrong = await whatIsWrong(product, { starts: null });
    // What lay at the place of a worktree that was made anew, before an agent was in it.
    expect(wrong.filter((line) => !line.startsWith("trash/half-made-"))).toEqual([]);
  } finally {
    await product[Symbol.asyncDispose]();
  }
});

/** What a person does to the worktree of an attempt. */
const FAULTS = {
  "its folder is deleted": ({ attempt }: Held) => rm(attempt.worktree, { recursive: true }),
  "`git worktree remove --force`": ({ attempt }: Held) =>
    git("worktree", "remove", "--force", attempt.worktree),
  "its .git file is deleted": ({ attempt }: Held) => rm(join(attempt.worktree, ".git")),
  "its registration is deleted": ({ attempt }: Held) => rm(gitDirOf(attempt.id), { recursive: true }),
  "`git worktree prune` while it is moved away": async ({ attempt }: Held) => {
    await rename(attempt.worktree, `${attempt.worktree}.away`);
    await git("worktree", "prune");
    await rename(`${attempt.worktree}.away`, attempt.worktree);
  },
  "its branch is deleted": ({ attempt }: Held) => git("update-ref", "-d", `refs/heads/${attempt.branch}`),
} as const;

type Fault = keyof typeof FAULTS;

const gitDirOf = (attempt: string) =>
  readDataFolder(product.home).attempts.find(({ id }) => id === attempt)?.gitDir ?? "";

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const LOST = { status: "FAILED", outcome: null, failure: "worktree_lost" };

/** The runs that left their line in `made.txt`, on the remote. */
async function made(end: TaskEnd): Promise<readonly string[]> {
  const file = `${end.attempt.branch}:made.txt`;
  return (await product.sandbox.git(product.origin, ["cat-file", "-p", file])).split("\n");
}

const commitsOf = async (branch: string) =>
  (await product.sandbox.git(product.origin, ["log", "--format=%H", `main..${branch}`])).split("\n");

describe("while a run goes on", () => {
  const CASES: readonly (readonly [Phase, Fault, object])[] = [
    ["agent", "its folder is deleted", LOST],
    ["agent", "`git worktree remove --force`", LOST],
    ["agent", "its .git file is deleted", PUSHED],
    ["agent", "its registration is deleted", LOST],
    ["agent", "`git worktree prune` while it is moved away", LOST],
    ["agent", "its branch is deleted", PUSHED],
    ["checking", "its folder is deleted", LOST],
    ["checking", "its registration is deleted", LOST],
    ["checking", "its branch is deleted", PUSHED],
    ["pushing", "its folder is deleted", PUSHED],
    ["pushing", "its registration is deleted", PUSHED],
    ["pushing", "its branch is deleted", PUSHED],
  ];

  test.each(CASES)(
    deep("at `%s`: %s; the remedy brings everything back that was not deleted"),
    async (phase, fault, ends) => {
      const end = await whileAt(product, phase, FAULTS[fault]);
      expect<unknown>(ending(end.run)).toEqual(ends);
      if (ends === LOST)
        expect(end.run.failure?.remedy).toContain(`tazuna continue ${end.attempt.id.slice(0, 8)} "`);
      const later = await ask(product, ["continue", end.attempt.id, "Once more"]);
      expect<unknown>(ending(later.run)).toEqual(PUSHED);
      const filesWent = ends === LOST && !/registration|moved/.test(fault);
      expect(await made(end)).toEqual(filesWent ? [later.run.id] : [end.run.id, later.run.id]);
      expect(await commitsOf(end.attempt.branch)).toHaveLength(ends === LOST ? 1 : 2);
      tally("fault", `worktree, at ${phase}: ${fault}`);
    },
  );

  test(
    deep("at `checking`: what was staged when the folder was deleted comes back with `tazuna restore`"),
    async () => {
      const end = await whileAt(product, "checking", FAULTS["its folder is deleted"]);
      const later = await ask(product, ["continue", end.attempt.id, "Once more"]);
      expect((await product.tazuna(["restore", end.run.id, "--json"])).code).toBe(0);
      expect(await readFile(join(end.attempt.worktree, "made.txt"), "utf8")).toBe(`${end.run.id}\n`);
      const mine = await ask(product, ["continue", end.attempt.id]);
      expect<unknown>([ending(later.run), ending(mine.run)]).toEqual([PUSHED, PUSHED]);
      expect(await made(end)).toEqual([end.run.id]);
      tally("fault", "worktree, at checking: its folder is deleted, and restored");
    },
  );

  test(deep("at `preparing`: its registration is deleted; a retry begins anew"), async () => {
    const end = await whileAt(product, "preparing", FAULTS["its registration is deleted"]);
    expect<unknown>(ending(end.run)).toEqual(LOST);
    const later = await ask(product, ["retry", end.run.id]);
    expect<unknown>(ending(later.run)).toEqual(PUSHED);
    expect(await made(end)).toEqual([later.run.id]);
    tally("fault", "worktree, at preparing: its registration is deleted");
  });
});

describe("while nothing goes on", () => {
  const finished = async () => {
    const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await writeFile(join(end.attempt.worktree, "mine.txt"), "mine\n");
    return end;
  };

  test.each([
    "its .git file is deleted",
    "its registration is deleted",
    "`git worktree prune` while it is moved away",
    "its branch is deleted",
  ] as const)("%s: my own edits are still there and are published", async (fault) => {
    const end = await finished();
    await FAULTS[fault](end);
    const mine = await ask(product, ["continue", end.attempt.id]);
    expect<unknown>(ending(mine.run)).toEqual(PUSHED);
    const tip = `${end.attempt.branch}:mine.txt`;
    expect(await product.sandbox.git(product.origin, ["cat-file", "-p", tip])).toBe("mine");
    expect(await commitsOf(end.attempt.branch)).toHaveLength(2);
    tally("fault", `worktree, idle: ${fault}`);
  });

  test("its folder is deleted: my edits went with it, the run says so, and its remedy goes on", async () => {
    const end = await finished();
    await FAULTS["its folder is deleted"](end);
    const mine = await ask(product, ["continue", end.attempt.id]);
    expect<unknown>(ending(mine.run)).toEqual(LOST);
    expect(mine.run.failure?.remedy).toContain(`tazuna continue ${end.attempt.id.slice(0, 8)} "`);
    const later = await ask(product, ["continue", end.attempt.id, "Once more"]);
    expect<unknown>([ending(later.run), noteCodes(later.run)]).toEqual([PUSHED, ["worktree_restored"]]);
    tally("fault", "worktree, idle: its folder is deleted");
  });

  test("an empty folder in its place is not taken for a worktree whose files were all deleted", async () => {
    const end = await finished();
    for (const name of await readdir(end.attempt.worktree))
      await rm(join(end.attempt.worktree, name), { recursive: true });
    const later = await ask(product, ["continue", end.attempt.id, "Once more"]);
    expect<unknown>([ending(later.run), noteCodes(later.run)]).toEqual([PUSHED, ["worktree_restored"]]);
    expect(await made(end)).toEqual([end.run.id, later.run.id]);
    tally("fault", "worktree, idle: its folder is emptied");
  });

  test("commits that were never pushed are found again when I deleted the branch that held them", async () => {
    const end = await finished();
    await product.sandbox.git(end.attempt.worktree, ["add", "-A"]);
    await product.sandbox.git(end.attempt.worktree, ["commit", "--quiet", "-m", "Mine"]);
    const commit = await product.sandbox.git(end.attempt.worktree, ["rev-parse", "HEAD"]);
    await FAULTS["its branch is deleted"](end);
    await ask(product, ["cancel", end.attempt.id]);
    await eventually("the clean-up", () => stateOf(end.attempt.id) === "removed");
    const kept = await git("for-each-ref", "--contains", commit, "--format=%(refname)", "refs/tazuna");
    expect(kept).toContain(`refs/tazuna/snapshots/${end.attempt.id}/`);
    tally("fault", "worktree, idle: the branch of unpushed commits is deleted");
  });

  test("the branch is checked out elsewhere when the worktree was lost: the refusal says where, and freed it goes on", async () => {
    const end = await finished();
    await FAULTS["`git worktree remove --force`"](end);
    const elsewhere = join(product.home, "..", "elsewhere");
    await git("worktree", "add", "--quiet", elsewhere, end.attempt.branch);
    const refused = await ask(product, ["continue", end.attempt.id, "Once more"]);
    await git("worktree", "remove", elsewhere);
    const later = await ask(product, ["continue", end.attempt.id, "Once more"]);
    expect<unknown>([ending(refused.run), ending(later.run)]).toEqual([LOST, PUSHED]);
    expect(refused.run.failure?.message).toContain(elsewhere);
    expect(refused.run.failure?.remedy).toContain(elsewhere);
    tally("fault", "worktree, idle: its branch is checked out elsewhere");
  });
});

const stateOf = (attempt: string) =>
  readDataFolder(product.home).attempts.find(({ id }) => id === attempt)?.state;

test.each(["its .git file is deleted", "its registration is deleted", "its branch is deleted"] as const)(
  "a cancel after %s keeps all of it, and the trash gives it back",
  async (fault) => {
    const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await writeFile(join(end.attempt.worktree, "mine.txt"), "mine\n");
    await FAULTS[fault](end);
    const canceled = await product.tazuna(["cancel", end.attempt.id, "--json"]);
    expect([canceled.code, stateOf(end.attempt.id)]).toEqual([0, "removed"]);
    expect(await exists(join(product.home, "trash", end.attempt.id, "mine.txt"))).toBe(true);
    const back = await product.tazuna(["trash", "restore", end.attempt.id, "--json"]);
    expect([back.code, stateOf(end.attempt.id)]).toEqual([0, "open"]);
    expect(await readFile(join(end.attempt.worktree, "mine.txt"), "utf8")).toBe("mine\n");
    expect(await branchAt(product, product.repository, end.attempt.branch)).toBe(end.run.commit);
    tally("fault", `worktree, canceled: ${fault}`);
  },
);

test("a push that was refused needs no worktree: it goes through from the repository once the remote lets it", async () => {
  const hook = join(product.origin, "hooks", "update");
  await writeFile(hook, "#!/bin/sh\necho not today\nexit 1\n");
  await chmod(hook, 0o755);
  const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await rm(hook);
  await FAULTS["its folder is deleted"](end);
  await FAULTS["its branch is deleted"](end);
  const again = await ask(product, ["retry", end.run.id, "--from", "push"]);
  expect<unknown>([ending(end.run), ending(again.run)]).toEqual([
    { status: "FAILED", outcome: null, failure: "push_rejected" },
    PUSHED,
  ]);
  expect(await branchAt(product, product.origin, end.attempt.branch)).toBe(end.run.commit);
  // Nothing is left that what-is-wrong would miss: the worktree is made again.
  await ask(product, ["continue", end.attempt.id, "Once more"]);
  tally("fault", "worktree and branch, published: deleted before a push is tried again");
});
