/** Damages HEAD or the index of a worktree at each point: it is mended with every file, and cancel works. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ask,
  branchAt,
  ending,
  exists,
  fileAt,
  noteCodes,
  PATIENCE_MS,
  type TaskEnd,
} from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, drawn } from "../../helpers/tier.ts";
import { readDataFolder } from "../crash/data-folder.ts";
import { type Held, holdable, whileAt } from "./phases.ts";

setDefaultTimeout(PATIENCE_MS);

const product = await startProduct();
await holdable(product);
const { sandbox } = product;
const git = (...args: string[]) => sandbox.git(product.repository, args);

afterAll(() => product[Symbol.asyncDispose]());

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };

const gitDirOf = (attempt: string) =>
  readDataFolder(product.home).attempts.find(({ id }) => id === attempt)?.gitDir ?? "";
const stateOf = (attempt: string) =>
  readDataFolder(product.home).attempts.find(({ id }) => id === attempt)?.state;

type File = "HEAD" | "index";
const WAYS: Readonly<Record<string, (file: string) => Promise<unknown>>> = {
  truncated: async (file) => truncate(file, Math.floor((await readFile(file)).length / 2)),
  empty: (file) => truncate(file, 0),
  garbage: (file) => writeFile(file, "garbage \0\u0001\n"),
  missing: (file) => rm(file),
  "a folder": async (file) => {
    await rm(file);
    await mkdir(file);
    await writeFile(join(file, "inside.txt"), "inside\n");
  },
  "a link": async (file) => {
    await rename(file, `${product.home}/../away-${crypto.randomUUID()}`);
    await symlink("/etc/hostname", file);
  },
};
type Way = keyof typeof WAYS;

const damage = (file: File, way: Way) => async (of: Pick<Held, "attempt">) =>
  WAYS[way]?.(join(gitDirOf(of.attempt.id), file));

const made = async (end: TaskEnd) =>
  (await fileAt(product, product.origin, end.attempt.branch, "made.txt")).trim();

/** A first run that ended well, and a file of the person's own beside what is committed. */
async function finished(): Promise<TaskEnd> {
  const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await writeFile(join(end.attempt.worktree, "mine.txt"), "mine\n");
  return end;
}

const EVERY = (["HEAD", "index"] as const).flatMap((file) =>
  Object.keys(WAYS).map((way) => [file, way] as const),
);

describe("before a follow-up", () => {
  test.each(drawn(EVERY, "before"))(
    deep("its %s is damaged (%s): every file is kept, and my edits are published"),
    async (file, way) => {
      const end = await finished();
      await damage(file, way)(end);
      const later = await ask(product, ["continue", end.attempt.id]);
      expect<unknown>(ending(later.run)).toEqual(PUSHED);
      expect(noteCodes(later.run)).toContain("worktree_mended");
      expect(await fileAt(product, product.origin, end.attempt.branch, "mine.txt")).toBe("mine");
      expect(await made(end)).toBe(end.run.id);
      expect((await sandbox.git(end.attempt.worktree, ["status", "--porcelain"])).trim()).toBe("");
      tally("fault", `worktree, idle: its ${file} is damaged (${way})`);
    },
  );
});

describe("while a run goes on", () => {
  const CASES = EVERY.filter(([, way]) => way !== "empty");
  test.each(drawn(CASES, "while"))(
    deep("its %s is damaged (%s) while the agent works: the run is published"),
    async (file, way) => {
      const end = await whileAt(product, "agent", damage(file, way));
      expect<unknown>(ending(end.run)).toEqual(PUSHED);
      expect(noteCodes(end.run)).toContain("worktree_mended");
      expect(await made(end)).toBe(end.run.id);
      tally("fault", `worktree, at agent: its ${file} is damaged (${way})`);
    },
  );

  test.each([
    ["HEAD", "missing"],
    ["HEAD", "garbage"],
    ["index", "missing"],
    ["index", "truncated"],
    ["index", "a link"],
  ] as const)(
    "its %s is damaged (%s) while a check runs: what was judged is committed",
    async (file, way) => {
      const end = await whileAt(product, "checking", damage(file, way));
      expect<unknown>(ending(end.run)).toEqual(PUSHED);
      expect(noteCodes(end.run)).toContain("worktree_mended");
      expect(await made(end)).toBe(end.run.id);
      tally("fault", `worktree, at checking: its ${file} is damaged (${way})`);
    },
  );

  test.each([
    ["HEAD", "missing"],
    ["index", "garbage"],
  ] as const)("its %s is damaged (%s) while it is pushed: the push needs none of it", async (file, way) => {
    const end = await whileAt(product, "pushing", damage(file, way));
    expect<unknown>(ending(end.run)).toEqual(PUSHED);
    tally("fault", `worktree, at pushing: its ${file} is damaged (${way})`);
  });
});

test.each([
  ["HEAD", "garbage"],
  ["HEAD", "a folder"],
  ["index", "truncated"],
  ["index", "a link"],
] as const)("`restore` and its `undo` mend it first: its %s is damaged (%s)", async (file, way) => {
  const end = await finished();
  await damage(file, way)(end);
  const restored = await product.tazuna(["restore", end.run.id, "--json"]);
  expect(restored.code).toBe(0);
  expect(await exists(join(end.attempt.worktree, "mine.txt"))).toBe(false);
  await damage(file, way)(end);
  const { operation } = restored.json<{ readonly operation: { readonly id: string } }>();
  expect((await product.tazuna(["undo", operation.id, "--json"])).code).toBe(0);
  expect(await readFile(join(end.attempt.worktree, "mine.txt"), "utf8")).toBe("mine\n");
  tally("fault", `worktree, restored: its ${file} is damaged (${way})`);
});

describe("a cancel always works", () => {
  test.each(drawn(EVERY, "cancel"))(
    deep("its %s is damaged (%s): a snapshot holds all of it, and the trash gives it back"),
    async (file, way) => {
      const end = await finished();
      await damage(file, way)(end);
      const canceled = await product.tazuna(["cancel", end.attempt.id, "--json"]);
      expect([canceled.code, stateOf(end.attempt.id)]).toEqual([0, "removed"]);
      const snapshot = await git(
        "for-each-ref",
        "--format=%(refname)",
        `refs/tazuna/snapshots/${end.attempt.id}`,
      );
      const [latest = ""] = snapshot.split("\n").slice(-1);
      expect(await git("cat-file", "-p", `${latest}:mine.txt`)).toBe("mine");
      expect((await product.tazuna(["trash", "restore", end.attempt.id, "--json"])).code).toBe(0);
      expect(await readFile(join(end.attempt.worktree, "mine.txt"), "utf8")).toBe("mine\n");
      expect(await branchAt(product, product.repository, end.attempt.branch)).toBe(end.run.commit);
      tally("fault", `worktree, canceled: its ${file} is damaged (${way})`);
    },
  );

  const LOST: Readonly<Record<string, (end: TaskEnd) => Promise<unknown>>> = {
    "the object of its commit is missing": async ({ run }) => rm(objectAt(run.commit ?? "")),
    "the tree of its commit is missing": async ({ run }) =>
      rm(objectAt(await git("rev-parse", `${run.commit}^{tree}`))),
    "the object of its base is missing": async ({ attempt }) => rm(objectAt(attempt.base.sha ?? "")),
    "its branch is garbage": ({ attempt }) =>
      writeFile(join(product.repository, ".git", "refs", "heads", attempt.branch), "garbage\n"),
    "its registration is garbage": async ({ attempt }) => {
      for (const name of await readdir(gitDirOf(attempt.id)))
        if (name !== "logs")
          await writeFile(join(gitDirOf(attempt.id), name), "garbage\n").catch(() => undefined);
    },
  };
  const objectAt = (sha: string) =>
    join(product.repository, ".git", "objects", sha.slice(0, 2), sha.slice(2));

  test.each(Object.keys(LOST))("%s: its files are in the trash, and stay there", async (fault) => {
    const end = await finished();
    const { commit } = end.run;
    const keep = new Map<string, Buffer>();
    const shas = [commit ?? "", end.attempt.base.sha ?? "", await git("rev-parse", `${commit}^{tree}`)];
    for (const sha of shas) keep.set(objectAt(sha), await readFile(objectAt(sha)));
    await LOST[fault]?.(end);
    const canceled = await product.tazuna(["cancel", end.attempt.id, "--json"]);
    // The objects are those of other attempts too.
    for (const [path, bytes] of keep) await writeFile(path, bytes).catch(() => undefined);
    if (fault.includes("branch"))
      await rm(join(product.repository, ".git", "refs", "heads", end.attempt.branch));
    expect({
      code: canceled.code,
      state: stateOf(end.attempt.id),
      said: canceled.stdout.slice(0, 400),
    }).toMatchObject({
      code: 0,
      state: "removed",
    });
    const entry = join(product.home, "trash", end.attempt.id);
    expect(await readFile(join(entry, "mine.txt"), "utf8")).toBe("mine\n");
    await git("worktree", "list");
    const emptied = await product.tazuna(["trash", "empty", "--yes", "--json"]);
    expect(emptied.code).toBe(0);
    tally("fault", `worktree, canceled: ${fault}`);
  });
});
