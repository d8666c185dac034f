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
