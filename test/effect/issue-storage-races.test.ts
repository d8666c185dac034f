import { describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { libraryNode } from "../helpers/library-node.ts";
import { LINUX } from "../helpers/need.ts";
import { program } from "../helpers/programs.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

const BY_BUN = [process.execPath, program("define-issues.ts")];

/** A process that defines issues; `acknowledged` settles with the titles that it said were kept, once it has ended. */
function writer(root: string, name: string, count: number, argv: readonly string[] = BY_BUN) {
  const child = Bun.spawn([...argv, root, name, String(count)], {
    cwd: root,
    stdout: "pipe",
    stderr: "inherit",
  });
  const began = Promise.withResolvers<void>();
  const acknowledged = (async () => {
    let said = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      said += decoder.decode(chunk, { stream: true });
      began.resolve();
    }
    began.resolve();
    await child.exited;
    // The last line may be half: what was not said whole was not said.
    return said.split("\n").slice(0, -1);
  })();
  return { kill: () => child.kill("SIGKILL"), began: began.promise, acknowledged };
}

/** Every title that the file knows, oldest first. */
async function titlesIn(root: string): Promise<string[]> {
  const { issue, history } = JSON.parse(await readFile(join(root, ".tazuna", "issue.json"), "utf8"));
  return [...history.map((one: { issue: string }) => one.issue), issue];
}

/** Runs writers side by side to their end; not one definition is lost, and each writer's stand in its order. */
async function together(
  root: string,
  writers: readonly { readonly name: string; readonly argv?: readonly string[] }[],
): Promise<void> {
  const count = 6;
  const said = await Promise.all(
    writers.map(({ name, argv }) => writer(root, name, count, argv).acknowledged),
  );
  const expected = writers.map(({ name }) => Array.from({ length: count }, (_, n) => `${name}-${n}`));
  expect(said).toEqual(expected);
  const titles = await titlesIn(root);
  expect(titles).toHaveLength(writers.length * count);
  for (const [index, { name }] of writers.entries())
    expect(titles.filter((title) => title.startsWith(`${name}-`))).toEqual(expected[index] ?? []);
  expect((await readdir(join(root, ".tazuna"))).sort()).toEqual([
    ".gitignore",
    "issue.json",
    "issue.json.lock",
  ]);
}

const node = libraryNode();
const whyNoNode = node.skip === null ? "" : ` [skipped: ${node.skip}]`;

/** As in a container: processes that are not seen from outside, and see none of ours. */
const APART = ["unshare", "--pid", "--fork", "--mount-proc"];
const canPart = !LINUX.missing && Bun.which("unshare") !== null && Bun.spawnSync([...APART, "true"]).success;
const whyNotApart = canPart ? "" : " [skipped: this user may make no process namespace]";

describe("seed 004 CQRS Pattern Compliance: issue.json persists what many define at once", () => {
  test("seed 004 CQRS Pattern Compliance and End-to-End Flow Tests: twelve processes at once lose no definition, and those of each stand in its order", async () => {
    await using dir = await tempDir();
    await together(
      dir.path,
      Array.from({ length: 12 }, (_, n) => ({ name: `writer${n}` })),
    );
  }, 120_000);

  test.skipIf(node.skip !== null)(
    deep(`writers on Node and on Bun keep out of each other's way${whyNoNode}`),
    async () => {
      await using dir = await tempDir();
      const bundle = join(dir.path, "define-issues.mjs");
      const built = Bun.spawnSync([
        process.execPath,
        "build",
        "--target=node",
        `--outfile=${bundle}`,
        program("define-issues.ts"),
      ]);
      expect(built.success).toBe(true);
      const names = [0, 1, 2];
      await together(dir.path, [
        ...names.map((n) => ({ name: `node${n}`, argv: [node.binary ?? "", bundle] })),
        ...names.map((n) => ({ name: `bun${n}` })),
      ]);
    },
    120_000,
  );

  test.skipIf(!canPart)(
    `so do writers in containers that share the folder${whyNotApart}`,
    async () => {
      await using dir = await tempDir();
      const names = [0, 1, 2];
      await together(dir.path, [
        ...names.map((n) => ({ name: `apart${n}`, argv: [...APART, ...BY_BUN] })),
        ...names.map((n) => ({ name: `here${n}` })),
      ]);
    },
    120_000,
  );

  test(deep(
    "after kill -9 in the middle of writing, what was acknowledged is there once, and the next writer goes on",
  ), async () => {
    await using dir = await tempDir();
    const acknowledged: string[] = [];
    const rounds = 8;
    for (let round = 0; round < rounds; round++) {
      const victims = [0, 1, 2].map((n) => writer(dir.path, `r${round}w${n}`, 1_000_000));
      await Promise.all(victims.map(({ began }) => began));
      // Chance decides where in its work each one is struck.
      for (const { kill } of victims) {
        await Bun.sleep(Math.random() * 12);
        kill();
      }
      for (const { acknowledged: titles } of victims) acknowledged.push(...(await titles));
      expect(new Set(await titlesIn(dir.path)).size).toBe((await titlesIn(dir.path)).length);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(3 * rounds);
    expect(await writer(dir.path, "last", 1).acknowledged).toEqual(["last-0"]);
    const titles = await titlesIn(dir.path);
    expect(acknowledged.filter((title) => !titles.includes(title))).toEqual([]);
    expect(titles.at(-1)).toBe("last-0");
    const folder = join(dir.path, ".tazuna");
    expect((await readdir(folder)).sort()).toEqual([".gitignore", "issue.json", "issue.json.lock"]);
    const numbers = (await readdir(join(folder, "issue.json.lock"))).filter(
      (name) => /^\d/.test(name) && !name.endsWith(".paper"),
    );
    expect(numbers).toHaveLength(1);
  }, 120_000);
});
