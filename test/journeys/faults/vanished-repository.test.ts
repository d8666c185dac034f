/** Takes the repository away at each phase of a run: the run says so, and later the remedy goes on. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, ending, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "../crash/data-folder.ts";
import { whatIsWrong } from "../crash/what-is-wrong.ts";
import { holdable, type Phase, whileAt } from "./phases.ts";

setDefaultTimeout(PATIENCE_MS);

const product = await startProduct();
await holdable(product);
const { repository, sandbox } = product;
const away = join(dirname(product.home), "away");
// Commands are given from here: the repository is not always there.
const elsewhere = { cwd: dirname(product.home) };

afterAll(async () => {
  try {
    expect(await whatIsWrong(product, { starts: null })).toEqual([]);
  } finally {
    await product[Symbol.asyncDispose]();
  }
});

/** What happens to the repository, and what puts it back. */
interface Fault {
  go(): Promise<unknown>;
  back(): Promise<unknown>;
}

const gone: Fault = {
  go: () => rename(repository, away),
  back: () => rename(away, repository),
};

const FAULTS: Readonly<Record<string, Fault>> = {
  "it is moved away": gone,
  "an empty folder lies in its place": {
    go: async () => {
      await gone.go();
      await mkdir(repository);
    },
    back: async () => {
      await rm(repository, { recursive: true });
      await gone.back();
    },
  },
  "its .git is taken away": {
    go: () => rename(join(repository, ".git"), `${away}.git`),
    back: () => rename(`${away}.git`, join(repository, ".git")),
  },
  "another repository with the same branches lies in its place": {
    go: async () => {
      const branches = await sandbox.git(repository, ["for-each-ref", "--format=%(refname)", "refs/heads"]);
      await gone.go();
      await mkdir(repository);
      await sandbox.git(repository, ["init", "--quiet", "--initial-branch=main"]);
      await writeFile(join(repository, "other.txt"), "another project\n");
      await sandbox.git(repository, ["add", "-A"]);
      await sandbox.git(repository, ["commit", "--quiet", "-m", "Another project"]);
      for (const branch of branches.split("\n"))
        await sandbox.git(repository, ["update-ref", branch, "HEAD"]);
      await sandbox.git(repository, ["remote", "add", "origin", product.origin]);
    },
    back: async () => {
      await rm(repository, { recursive: true });
      await gone.back();
    },
  },
};

const closed: Fault = {
  go: async () => {
    await rename(join(repository, ".git"), `${away}.git`);
    await symlink(".git", join(repository, ".git"));
  },
  back: async () => {
    await rm(join(repository, ".git"));
    await rename(`${away}.git`, join(repository, ".git"));
  },
};

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const LOST = { status: "FAILED", outcome: null, failure: "worktree_lost" };

/** The last line of the remedy's commands, as a person would type it. */
function retryOf(end: TaskEnd): readonly string[] {
  const named = /then `tazuna (retry [^`]+)`/.exec(end.run.failure?.remedy ?? "")?.[1];
  if (named === undefined) throw new Error(`no retry is named: ${end.run.failure?.remedy}`);
  return named.split(" ");
}

async function made(end: TaskEnd): Promise<readonly string[]> {
  const file = `${end.attempt.branch}:made.txt`;
  return (await sandbox.git(product.origin, ["cat-file", "-p", file])).split("\n");
}

const CASES: readonly (readonly [Phase, string])[] = [
  ["preparing", "it is moved away"],
  ["agent", "it is moved away"],
  ["checking", "its .git is taken away"],
  ["agent", "an empty folder lies in its place"],
  ["preparing", "another repository with the same branches lies in its place"],
  ["checking", "another repository with the same branches lies in its place"],
];

test.each(CASES)(
  deep("at `%s`: %s; what the agent made stays, and once it is back the remedy publishes it"),
  async (phase, fault) => {
    const end = await whileAt(product, phase, () => FAULTS[fault]?.go());
    await FAULTS[fault]?.back();
    expect<unknown>(ending(end.run)).toEqual(LOST);
    expect(end.run.failure?.remedy).toContain("tazuna repo move");
    const again = await ask(product, retryOf(end));
    expect<unknown>(ending(again.run)).toEqual(PUSHED);
    expect(await made(end)).toEqual(phase === "preparing" ? [again.run.id] : [end.run.id, again.run.id]);
    tally("fault", `repository, at ${phase}: ${fault}`);
  },
);

test.each(["it is moved away", "another repository with the same branches lies in its place"])(
  "between two runs: %s; a follow-up says so and touches nothing",
  async (fault) => {
    const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await writeFile(join(first.attempt.worktree, "mine.txt"), "mine\n");
    await FAULTS[fault]?.go();
    const lost = await ask(product, ["continue", first.attempt.id, "Once more"], elsewhere);
    await FAULTS[fault]?.back();
    expect<unknown>(ending(lost.run)).toEqual(LOST);
    expect(await Bun.file(join(first.attempt.worktree, "mine.txt")).text()).toBe("mine\n");
    const again = await ask(product, retryOf(lost));
    expect<unknown>(ending(again.run)).toEqual(PUSHED);
    expect(await made(first)).toEqual([first.run.id, again.run.id]);
    tally("fault", `repository, idle: ${fault}`);
  },
);

test("a repository that we may not read is not called gone; the remedy goes on from there", async () => {
  const first = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await closed.go();
  const lost = await ask(product, ["continue", first.attempt.id, "Once more"], elsewhere);
  await closed.back();
  expect<unknown>(ending(lost.run)).toEqual(LOST);
  expect(lost.run.failure?.message).toContain("cannot be opened: ELOOP");
  const again = await ask(product, retryOf(lost));
  expect<unknown>(ending(again.run)).toEqual(PUSHED);
  expect(await made(first)).toEqual([first.run.id, again.run.id]);
  tally("fault", "repository, idle: the system does not let us look");
});

test("while it is gone, a cancel trashes files without a snapshot and deletes none; later they come back", async () => {
  const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await gone.go();
  const state = () => readDataFolder(product.home).attempts.find(({ id }) => id === end.attempt.id)?.state;
  const asked = await product.tazuna(["cancel", end.attempt.id], elsewhere);
  expect([asked.code, state()]).toEqual([0, "removed"]);
  expect(asked.stdout).toContain(
    `No snapshot was taken: The repository ${repository} is not there any more.`,
  );
  const entry = join(product.home, "trash", end.attempt.id);
  expect(asked.stdout).toContain(entry);
  const emptied = await product.tazuna(["trash", "empty", "--yes", "--json"], elsewhere);
  expect(emptied.json<{ readonly removed: readonly unknown[] }>().removed).toEqual([]);
  expect(await readFile(join(entry, "made.txt"), "utf8")).toBe(`${end.run.id}\n`);
  await gone.back();
  const back = await product.tazuna(["trash", "restore", end.attempt.id, "--json"]);
  expect([back.code, state()]).toEqual([0, "open"]);
  expect(await readFile(join(end.attempt.worktree, "made.txt"), "utf8")).toBe(`${end.run.id}\n`);
  expect((await product.tazuna(["cancel", end.attempt.id, "--json"])).code).toBe(0);
  tally("fault", "repository, canceled: it is moved away");
});

test(
  deep(
    "moved while an agent works, and left there: `tazuna repo move` and a retry go on from what the agent made",
  ),
  async () => {
    const moved = join(dirname(product.home), "moved");
    const end = await whileAt(product, "agent", () => rename(repository, moved));
    expect<unknown>(ending(end.run)).toEqual(LOST);
    const id = /tazuna repo move (\S+) \./.exec(end.run.failure?.remedy ?? "")?.[1] ?? "";
    expect((await product.tazuna(["repo", "move", id, moved, "--json"], elsewhere)).code).toBe(0);
    const again = await ask(product, retryOf(end), elsewhere);
    expect<unknown>(ending(again.run)).toEqual(PUSHED);
    expect(await made(end)).toEqual([end.run.id, again.run.id]);
    await rename(moved, repository);
    expect((await product.tazuna(["repo", "move", id, repository, "--json"])).code).toBe(0);
    tally("fault", "repository, at agent: it is moved, and told");
  },
);
