import { expect, test } from "bun:test";
import { join } from "node:path";
import { listBranches } from "../../src/git/refs/list-branches.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { productGit } from "./scene.ts";

test("a branch is found by its words although many newer ones are not listed", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  await sandbox.git(repo, ["branch", "Release/2019"]);
  await sandbox.git(repo, ["tag", "--annotate", "-m", "One", "v1"]);
  await sandbox.git(repo, ["symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/main"]);
  await sandbox.commit(repo, { "newer.txt": "x\n" }, "Newer");
  for (let number = 0; number < 6; number++) await sandbox.git(repo, ["branch", `topic/${number}`]);
  const target = { gitDir: join(repo, ".git"), workTree: null };
  const names = async (query: string) =>
    (await listBranches(productGit(sandbox), target, { query, limit: 4 }))
      ._unsafeUnwrap()
      .map(({ name, remote, tag }) => [name, remote, tag]);
  expect(await names("release/20")).toEqual([["Release/2019", false, false]]);
  expect(await names("V1")).toEqual([["v1", false, true]]);
  expect(await names("head")).toEqual([]);
  expect(await names("")).toHaveLength(4);
});

test("a branch is listed although its commit has a date beyond all calendars", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  const tree = await sandbox.git(repo, ["rev-parse", "HEAD^{tree}"]);
  const person = "A <a@example.org> 99999999999999 +0000";
  await Bun.write(
    join(sandbox.root, "commit"),
    `tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nFar\n`,
  );
  const far = await sandbox.git(repo, ["hash-object", "-t", "commit", "-w", join(sandbox.root, "commit")]);
  await sandbox.git(repo, ["branch", "far", far]);
  const target = { gitDir: join(repo, ".git"), workTree: null };
  const listed = await listBranches(productGit(sandbox), target, { query: "far", limit: 4 });
  expect(listed._unsafeUnwrap()).toMatchObject([{ name: "far", at: "9999-12-31T23:59:59.000Z" }]);
});
