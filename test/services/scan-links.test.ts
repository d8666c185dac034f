import { expect, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { scanLinks } from "../../src/services/gate/scan-links.ts";
import { productGit } from "../git/scene.ts";
import { gitSandbox } from "../helpers/git-repo.ts";

test("links are judged as the tree has them, however the index changes meanwhile", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  await symlink("../outside", join(repo, "out"));
  await symlink("README.md", join(repo, "in"));
  await sandbox.git(repo, ["add", "-A"]);
  const tree = await sandbox.git(repo, ["write-tree"]);
  await sandbox.git(repo, ["update-index", "--force-remove", "out", "in"]);
  const git = productGit(sandbox);
  const target = { gitDir: join(repo, ".git"), workTree: repo };
  const found = (await scanLinks(git, target, { tree, changed: ["out", "in"] }))._unsafeUnwrap();
  expect(found.map(({ rule, level, path }) => `${level} ${rule} ${path}`)).toEqual([
    "reject symlink_outside out",
  ]);
});

test("a link whose target no system could follow counts as one that leads out", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  await Bun.write(join(repo, "long"), "a".repeat(70_000));
  const blob = await sandbox.git(repo, ["hash-object", "-w", "long"]);
  await sandbox.git(repo, ["update-index", "--add", "--cacheinfo", `120000,${blob},link`]);
  const tree = await sandbox.git(repo, ["write-tree"]);
  const target = { gitDir: join(repo, ".git"), workTree: repo };
  const found = (await scanLinks(productGit(sandbox), target, { tree, changed: ["link"] }))._unsafeUnwrap();
  expect(found.map(({ rule, level }) => `${level} ${rule}`)).toEqual(["reject symlink_outside"]);
});
