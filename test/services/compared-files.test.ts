import { expect, test } from "bun:test";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createComparedFiles } from "../../src/services/diffs/compared-files.ts";
import { productGit } from "../git/scene.ts";
import { gitSandbox } from "../helpers/git-repo.ts";

test("the files of a comparison are listed once for all of its pages, and again after it failed", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  const commits: string[] = [];
  for (let number = 0; number < 6; number++) {
    await writeFile(join(repo, `file${number}.txt`), "text\n");
    await sandbox.git(repo, ["add", "-A"]);
    await sandbox.git(repo, ["commit", "--quiet", "-m", `Number ${number}`]);
    commits.push(await sandbox.git(repo, ["rev-parse", "HEAD"]));
  }
  const calls = join(sandbox.root, "calls");
  const binary = join(sandbox.root, "git");
  await writeFile(binary, `#!/bin/sh\necho call >> ${calls}\nexec git "$@"\n`);
  await chmod(binary, 0o755);
  const git = productGit(sandbox, { binary });
  const target = { gitDir: join(repo, ".git"), workTree: null };
  const filesOf = createComparedFiles();
  const number = async () => (await readFile(calls, "utf8").catch(() => "")).split("\n").length - 1;
  const [from = "", ...later] = commits;
  const ask = async (to = "") =>
    (await filesOf(git, target, { from, to })).map((files) => files.map(({ path }) => path));

  const once = async () => {
    await ask(later[0]);
    return number();
  };
  const one = await once();
  expect((await Promise.all([ask(later[0]), ask(later[0])])).map((each) => each._unsafeUnwrap())).toEqual([
    ["file1.txt"],
    ["file1.txt"],
  ]);
  expect(await number()).toBe(one);
  // Only those that were asked for last are kept.
  for (const to of later) await ask(to);
  const before = await number();
  await ask(later[4]);
  expect(await number()).toBe(before);
  await ask(later[0]);
  expect(await number()).toBe(before + one);

  const missing = "1".repeat(40);
  expect((await ask(missing)).isErr()).toBe(true);
  const failed = await number();
  expect((await ask(missing)).isErr()).toBe(true);
  expect(await number()).toBeGreaterThan(failed);
});
