/** Puts the trash on another file system, to which nothing can be renamed, and kills the engine at each step. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, branchAt, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { otherFileSystem } from "../../helpers/temp-dir.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { smallDisk, whyNoSmallDisk } from "./small-disk.ts";

setDefaultTimeout(PATIENCE_MS);

const other = otherFileSystem();
const whenOther = other === null ? test.skip : test;
/** Behind the title of what needs it. */
const skipped = other === null ? " (skipped: there is no other file system here)" : "";

interface OtherDisk extends Product {
  readonly trash: string;
}

/** A product whose trash is a link to a folder of another file system. */
async function otherDisk(): Promise<OtherDisk> {
  const product = await startProduct();
  const trash = await mkdtemp(join(String(other), "tazuna-trash-"));
  await mkdir(product.home, { recursive: true, mode: 0o700 });
  await symlink(trash, join(product.home, "trash"));
  const dispose = async () => {
    await product[Symbol.asyncDispose]();
    await rm(trash, { recursive: true, force: true });
  };
  return { ...product, trash, [Symbol.asyncDispose]: dispose };
}

/** With what a copy can get wrong: modes, links, names that are no text, a closed folder, an ignored file. */
async function edited(product: Product): Promise<TaskEnd> {
  await product.agent("agent", "echo one > one.txt; echo Done.");
  const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
  const at = (...names: string[]) => join(end.attempt.worktree, ...names);
  await writeFile(at("one.txt"), "edited\n");
  await writeFile(at(".env.local"), "SECRET=1\n");
  await chmod(at(".env.local"), 0o400);
  await writeFile(Buffer.concat([Buffer.from(at("name-")), Buffer.from([0xff, 0xfe])]), "bytes\n");
  await symlink("nowhere", at("link"));
  await mkdir(at("closed"));
  await writeFile(at("closed", "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  await chmod(at("closed"), 0o500);
  return end;
}

async function look(folder: string) {
  const names = await readdir(folder, { encoding: "buffer" });
  return {
    names: names
      .map((name) => name.toString("latin1"))
      .filter((name) => name !== ".git")
      .sort(),
    one: await readFile(join(folder, "one.txt"), "utf8"),
    env: await readFile(join(folder, ".env.local"), "utf8"),
    mode: (await stat(join(folder, ".env.local"))).mode & 0o777,
    link: await readlink(join(folder, "link")),
    closed: (await stat(join(folder, "closed"))).mode & 0o777,
    script: (await stat(join(folder, "closed", "run.sh"))).mode & 0o777,
  };
}

const WHOLE = {
  names: [".env.local", ".gitignore", "README.md", "closed", "link", "name-\u00ff\u00fe", "one.txt"],
  one: "edited\n",
  env: "SECRET=1\n",
  mode: 0o400,
  link: "nowhere",
  closed: 0o500,
  script: 0o755,
};

async function killedAt(product: Product, failpoint: string, args: readonly string[]) {
  await product.killEngine();
  const reached = join(dirname(product.home), `reached-${failpoint.replace(":", "-")}`);
  const end = await product.tazuna([...args, "--json"], {
    env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` },
  });
  if (!existsSync(reached)) throw new Error(`${failpoint} was never reached: ${end.stdout} ${end.stderr}`);
  return end;
}

const stateOf = (product: Product) => readDataFolder(product.home).attempts[0]?.state;

async function expectTrashed(product: OtherDisk, end: TaskEnd): Promise<void> {
  expect(await look(join(product.home, "trash", end.attempt.id))).toEqual(WHOLE);
  expect(await readdir(product.trash)).toEqual([end.attempt.id]);
  expect(await readdir(join(product.home, "worktrees"))).toEqual([]);
  expect(stateOf(product)).toBe("removed");
}

async function expectBack(product: OtherDisk, end: TaskEnd): Promise<void> {
  expect(await look(end.attempt.worktree)).toEqual(WHOLE);
  expect(await readdir(product.trash)).toEqual([]);
  expect(await readdir(join(product.home, "worktrees"))).toHaveLength(1);
  expect(await branchAt(product, product.repository, end.attempt.branch)).toBe(end.run.commit);
  expect(stateOf(product)).toBe("open");
}

describe("a trash on another file system", () => {
  whenOther(
    `takes a worktree as it is, gives it back as it is, and lets go of it for good${skipped}`,
    async () => {
      await using product = await otherDisk();
      const end = await edited(product);
      expect((await product.tazuna(["cancel", end.attempt.id, "--json"])).code).toBe(0);
      await expectTrashed(product, end);
      expect((await product.tazuna(["trash", "restore", end.attempt.id, "--json"])).code).toBe(0);
      await expectBack(product, end);
      await ask(product, ["cancel", end.attempt.id]);
      const emptied = await product.tazuna(["trash", "empty", "--yes", "--json"]);
      expect(emptied.json<{ readonly kept: readonly unknown[] }>().kept).toEqual([]);
      expect(await readdir(product.trash)).toEqual([]);
      const [ignored = ""] = await readdir(join(product.home, "ignored"));
      expect(await readFile(join(product.home, "ignored", ignored, ".env.local"), "utf8")).toBe("SECRET=1\n");
      const doctor = await product.tazuna(["doctor", "--json"]);
      expect(doctor.stdout).toContain("another file system");
      tally("fault", "the trash lies on another file system");
    },
  );

  for (const failpoint of ["before:trash", "trash:copied", "trash:aside", "after:trash"])
    whenOther(
      deep(`a cancel that is killed at ${failpoint} goes on: one whole copy, in the trash${skipped}`),
      async () => {
        await using product = await otherDisk();
        const end = await edited(product);
        await killedAt(product, failpoint, ["cancel", end.attempt.id]);
        await expectTrashed(product, end);
        expect((await product.tazuna(["trash", "restore", end.attempt.id, "--json"])).code).toBe(0);
        await expectBack(product, end);
        tally("kill", `a cancel into a trash on another file system, killed at ${failpoint}`);
      },
    );

  for (const failpoint of ["restore:files", "restore:copied", "restore:counts", "restore:index"])
    whenOther(
      deep(`a restore that is killed at ${failpoint} goes on: one whole copy, in its place${skipped}`),
      async () => {
        await using product = await otherDisk();
        const end = await edited(product);
        await ask(product, ["cancel", end.attempt.id]);
        await killedAt(product, failpoint, ["trash", "restore", end.attempt.id]);
        await expectBack(product, end);
        tally("kill", `a restore from a trash on another file system, killed at ${failpoint}`);
      },
    );
});

const noDisk = await whyNoSmallDisk();

test.skipIf(noDisk !== null)(
  `a trash with too little room keeps the worktree and tells of its half copy; with room it goes on${noDisk === null ? "" : ` (skipped: ${noDisk})`}`,
  async () => {
    await using product = await startProduct();
    const { attempt } = await edited(product);
    await using disk = await smallDisk(join(product.home, "trash"), "1m");
    await writeFile(join(attempt.worktree, "big.local"), Buffer.alloc(2 * 1024 * 1024, "x"));
    const canceled = await product.tazuna(["cancel", attempt.id]);
    expect(canceled.code).toBe(1);
    expect(canceled.stderr).toContain("no space left on device");
    expect(await readFile(join(attempt.worktree, "one.txt"), "utf8")).toBe("edited\n");
    const { stdout } = await product.tazuna(["doctor"]);
    expect(stdout).toContain("its clean-up cannot go on");
    expect(stdout).not.toContain("that the journal did not put there");
    disk.grow("64m");
    expect((await product.tazuna(["cancel", attempt.id])).code).toBe(0);
    expect(existsSync(attempt.worktree)).toBe(false);
  },
);
