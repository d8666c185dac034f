/** Kills the engine at every step into the trash, back, and of deleting from it; fills the disk meanwhile. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OperationDocument } from "../../../src/contract/endpoints/operations.ts";
import type { FindingDocument } from "../../../src/contract/endpoints/repositories.ts";
import { ask, branchAt, exists, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, drawn } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";
import { smallDisk, whyNoSmallDisk } from "./small-disk.ts";

setDefaultTimeout(PATIENCE_MS);

const beside = (product: Product, name: string) => join(dirname(product.home), name);

/** Runs a command in an engine of its own that is killed at `failpoint`; the next one answers. */
async function killedAt(product: Product, failpoint: string, args: readonly string[]) {
  await product.killEngine();
  const reached = beside(product, `reached-${failpoint.replace(":", "-")}`);
  const end = await product.tazuna([...args, "--json"], {
    env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` },
  });
  if (!existsSync(reached)) throw new Error(`${failpoint} was never reached: ${end.stdout} ${end.stderr}`);
  return end;
}

/** An attempt with a commit, an edit and an ignored file. */
async function edited(product: Product): Promise<TaskEnd> {
  await product.agent("agent", "echo one > one.txt; echo Done.");
  const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
  await writeFile(join(end.attempt.worktree, "one.txt"), "edited\n");
  await writeFile(join(end.attempt.worktree, ".env.local"), "SECRET=1\n");
  return end;
}

/** Everything that a restored attempt has, and what must not be left. */
async function restored(product: Product, end: TaskEnd) {
  const { worktree, branch, id } = end.attempt;
  const data = readDataFolder(product.home);
  return {
    state: data.attempts.find((attempt) => attempt.id === id)?.state,
    files: (await readdir(worktree)).sort(),
    one: await readFile(join(worktree, "one.txt"), "utf8"),
    env: await readFile(join(worktree, ".env.local"), "utf8"),
    branch: await branchAt(product, product.repository, branch),
    status: await product.sandbox.git(worktree, ["status", "--porcelain"]),
    trash: await readdir(join(product.home, "trash")),
    intended: data.operations.filter(({ status }) => status === "intended"),
  };
}

const whole = (end: TaskEnd) => ({
  state: "open",
  files: [".env.local", ".git", ".gitignore", "README.md", "one.txt"],
  one: "edited\n",
  env: "SECRET=1\n",
  branch: end.run.commit,
  status: " M one.txt",
  trash: [],
  intended: [],
});

const RESTORING = [
  "before:trash_restore",
  "before:branch_restored",
  "after:branch_restored",
  "before:worktree_add",
  "after:worktree_add",
  "restore:files",
  "restore:index",
  "after:trash_restore",
];

for (const failpoint of drawn(RESTORING))
  test(deep(`a restore whose engine is killed at ${failpoint} is finished by the next one`), async () => {
    await using product = await startProduct();
    const end = await edited(product);
    await ask(product, ["cancel", end.attempt.id]);
    const answer = await killedAt(product, failpoint, ["trash", "restore", end.attempt.id]);
    expect(answer.json<{ path?: string }>().path).toBe(end.attempt.worktree);
    expect<unknown>(await restored(product, end)).toEqual(whole(end));
    tally("kill", `a restore whose engine is killed at ${failpoint} is finished by the next one`, {
      under: "guard",
    });
  });

test(deep("a restore that is killed and not asked for again is finished when an engine starts"), async () => {
  await using product = await startProduct();
  const end = await edited(product);
  await ask(product, ["cancel", end.attempt.id]);
  await killedAt(product, "restore:files", ["trash", "restore", end.attempt.id]);
  await product.killEngine();
  await product.tazuna(["list"]);
  expect<unknown>(await restored(product, end)).toEqual(whole(end));
  tally("kill", "a restore that is killed and not asked for again is finished when an engine starts", {
    under: "guard",
  });
});

for (const failpoint of ["before:trash", "after:trash", "before:branch_delete", "after:branch_delete"])
  test(
    deep(`what a cancel that was killed at ${failpoint} put into the trash is listed, and comes back`),
    async () => {
      await using product = await startProduct();
      const end = await edited(product);
      await killedAt(product, failpoint, ["cancel", end.attempt.id]);
      const listed = (await product.tazuna(["trash", "list", "--json"])).json<{
        entries: { attempt: string }[];
      }>();
      expect(listed.entries.map(({ attempt }) => attempt)).toEqual([end.attempt.id]);
      await product.tazuna(["trash", "restore", end.attempt.id]);
      expect<unknown>(await restored(product, end)).toEqual(whole(end));
      tally(
        "kill",
        `what a cancel that was killed at ${failpoint} put into the trash is listed, and comes back`,
        { under: "guard" },
      );
    },
  );

for (const failpoint of ["before:trash_purge", "purge:aside", "after:trash_purge"])
  test(
    deep(`an entry whose deletion is killed at ${failpoint} is there whole or gone, and its snapshot stays`),
    async () => {
      await using product = await startProduct();
      const end = await edited(product);
      await ask(product, ["cancel", end.attempt.id]);
      await killedAt(product, failpoint, ["trash", "empty", "--yes"]);
      const emptied = await product.tazuna(["trash", "empty", "--yes", "--json"]);
      expect(emptied.code).toBe(0);
      expect(await readdir(join(product.home, "trash"))).toEqual([]);
      const ref = `refs/tazuna/snapshots/${end.attempt.id}/1`;
      expect(await product.sandbox.git(product.repository, ["cat-file", "-p", `${ref}:one.txt`])).toBe(
        "edited",
      );
      tally(
        "kill",
        `an entry whose deletion is killed at ${failpoint} is there whole or gone, and its snapshot stays`,
        { under: "guard" },
      );
    },
  );

test(
  deep("a deletion that was cut off is finished in the moved data folder; its old place stays untouched"),
  async () => {
    await using product = await startProduct();
    const end = await edited(product);
    await ask(product, ["cancel", end.attempt.id]);
    // So the engine that answers instead cannot finish it.
    const ignored = join(product.home, "ignored");
    await rm(ignored, { recursive: true, force: true });
    await writeFile(ignored, "in the way");
    await killedAt(product, "purge:aside", ["trash", "empty", "--yes"]);
    await product.killEngine();
    await rm(ignored);
    const [name = ""] = await readdir(join(product.home, "trash"));
    const moved = beside(product, "moved home");
    await cp(product.home, moved, { recursive: true });
    const listed = await product.tazuna(["list"], { env: { TAZUNA_HOME: moved } });
    const server = JSON.parse(await readFile(join(moved, "server.json"), "utf8")) as { pid: number };
    process.kill(server.pid, "SIGKILL");
    expect(listed.code).toBe(0);
    expect(await readdir(join(product.home, "trash", name))).toContain("one.txt");
    expect(await readdir(join(product.home, "trash", name))).toContain(".env.local");
    expect(await exists(ignored)).toBe(false);
    expect(await readdir(join(moved, "trash"))).toEqual([]);
    const [entry = ""] = await readdir(join(moved, "ignored"));
    expect(await readFile(join(moved, "ignored", entry, ".env.local"), "utf8")).toBe("SECRET=1\n");
    tally("kill", "a deletion that was cut off in a data folder that was moved then", { under: "guard" });
  },
);

/** What doctor says of acts that were never ended, and of what lies in the trash. */
async function unended(product: Product): Promise<readonly FindingDocument[]> {
  const told = await product.tazuna(["doctor", "--json"]);
  const { findings } = told.json<{ findings: readonly FindingDocument[] }>();
  return findings.filter(({ id }) => /^(act|trash):/.test(id));
}

test(
  deep(
    "doctor tells of a deletion that cannot be finished, with and without an engine; its ignored files are kept",
  ),
  async () => {
    await using product = await startProduct();
    const end = await edited(product);
    await ask(product, ["cancel", end.attempt.id]);
    const entry = readDataFolder(product.home).operations.find(({ kind }) => kind === "trash")?.id ?? "";
    const ignored = join(product.home, "ignored");
    await rm(ignored, { recursive: true, force: true });
    await writeFile(ignored, "in the way");
    await killedAt(product, "purge:aside", ["trash", "empty", "--yes"]);
    expect((await product.tazuna(["list"])).code).toBe(0);
    const pid = await product.enginePid();
    const [begun] = readDataFolder(product.home).operations.filter(({ status }) => status === "intended");
    const finding = (remedy: string) => ({
      id: `act:${begun?.id}`,
      level: "warning",
      what: expect.stringMatching(/^The act trash_purge of .* was begun, and its result is not known\.$/),
      whose: `attempt ${end.attempt.id.slice(0, 8)}`,
      why: expect.stringMatching(
        /^The last start could not look at it: E[A-Z]+.*Nothing that it put aside goes/,
      ),
      bytes: expect.any(Number),
      path: expect.stringMatching(/trash\/purge-[^/]+$/),
      remedy: `Mend what it names. ${remedy} looks at it.`,
    });
    expect<unknown>(await unended(product)).toEqual([
      finding(`\`kill ${pid}\` ends this engine, agents work on, and the next command starts one, which`),
    ]);
    await product.killEngine();
    expect<unknown>(await unended(product)).toEqual([finding("`tazuna list` starts an engine, which")]);
    await rm(ignored);
    await product.tazuna(["list"]);
    expect(await readFile(join(ignored, entry, ".env.local"), "utf8")).toBe("SECRET=1\n");
    expect(await readdir(join(product.home, "trash"))).toEqual([]);
    const left = readDataFolder(product.home).operations.filter(({ status }) => status === "intended");
    expect(left).toEqual([]);
    expect(await unended(product)).toEqual([]);
    tally("fault", "a deletion that the next start cannot finish keeps its ignored files", {
      under: "guard",
    });
  },
);

for (const failpoint of ["before:undo", "after:undo"])
  test(
    deep(`an undo whose engine is killed at ${failpoint} is done once, and is answered by the next one`),
    async () => {
      await using product = await startProduct();
      const end = await edited(product);
      await ask(product, ["cancel", end.attempt.id]);
      const list = await product.tazuna(["activity", end.attempt.id, "--json"]);
      const { operations } = list.json<{ operations: readonly OperationDocument[] }>();
      const done = operations.find(({ kind }) => kind === "branch_delete");
      const answer = await killedAt(product, failpoint, ["undo", done?.id ?? ""]);
      expect(answer.json<{ operation: unknown }>().operation).toMatchObject({
        kind: "undo",
        after: { sha: end.run.commit },
      });
      expect(await branchAt(product, product.repository, end.attempt.branch)).toBe(end.run.commit);
      expect(readDataFolder(product.home).operations.filter(({ status }) => status === "intended")).toEqual(
        [],
      );
      tally(
        "kill",
        `an undo whose engine is killed at ${failpoint} is done once, and is answered by the next one`,
        { under: "guard" },
      );
    },
  );

const noDisk = await whyNoSmallDisk();

describe.skipIf(noDisk !== null)(`a small disk${noDisk === null ? "" : ` (skipped: ${noDisk})`}`, () => {
  test("one that is full loses nothing of a restore: it goes through once there is room", async () => {
    await using product = await startProduct();
    await using disk = await smallDisk(product.home, "8m");
    const end = await edited(product);
    await ask(product, ["cancel", end.attempt.id]);
    await disk.fill();
    const full = await product.tazuna(["trash", "restore", end.attempt.id, "--json"]);
    const inTrash = await exists(join(product.home, "trash", end.attempt.id, ".env.local"));
    const inPlace = await exists(join(end.attempt.worktree, ".env.local"));
    await disk.free();
    await eventually("the restore", async () => {
      const again = await product.tazuna(["trash", "restore", end.attempt.id, "--json"]);
      return again.code === 0;
    });
    expect([full.code === 0, inTrash || inPlace]).toEqual([inPlace, true]);
    const { trash: _, ...now } = await restored(product, end);
    const { trash: __, ...then } = whole(end);
    expect<unknown>(now).toEqual(then);
    tally("fault", "one that is full loses nothing of a restore", { under: "guard" });
  });
});
