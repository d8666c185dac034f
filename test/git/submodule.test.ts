import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listStaged } from "../../src/git/index/list-staged.ts";
import { stageAll } from "../../src/git/index/stage.ts";
import {
  dirtySubmodules,
  fillSubmodules,
  foreignGitlinks,
  listGitlinks,
  listIndexGitlinks,
} from "../../src/git/index/submodule.ts";
import { takeSnapshot } from "../../src/git/snapshot/snapshot.ts";
import { fingerprint } from "../helpers/checkout-fingerprint.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { discovered, madeWorktree, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

/** A clone with a submodule at `libs/sub`, and a worktree of it. Git does not clone submodules from disk unless told. */
async function ready(sandbox: GitSandbox) {
  const library = await sandbox.origin("library.git");
  const origin = await sandbox.origin("origin.git");
  const repo = await sandbox.clone(origin, "repo");
  await sandbox.git(repo, ["submodule", "add", "-q", library, "libs/sub"]);
  await sandbox.commit(repo, {}, "submodule");
  await sandbox.git(repo, ["push", "-q", "origin", "main"]);
  const git = productGit(sandbox);
  const worktree = await madeWorktree(sandbox, git, repo);
  return { repo, git, worktree, target: worktree.target };
}

const sandboxed = () => gitSandbox({ globalConfig: '[protocol "file"]\n\tallow = always\n' });

describe("submodules", () => {
  test("are listed, left empty, and filled on request without a word in the shared configuration", async () => {
    await using sandbox = await sandboxed();
    const { repo, git, target } = await ready(sandbox);
    const checkout = await discovered(git, repo);
    expect(checkout.hasSubmodules).toBe(true);
    const before = await fingerprint(checkout);
    expect((await listGitlinks(git, target, "HEAD"))._unsafeUnwrap()).toEqual(["libs/sub"]);
    expect((await listIndexGitlinks(git, target))._unsafeUnwrap()).toEqual(["libs/sub"]);
    expect(await Bun.file(join(target.workTree, "libs/sub/README.md")).exists()).toBe(false);
    expect((await dirtySubmodules(git, target, ["libs/sub"]))._unsafeUnwrap()).toEqual([]);
    (await fillSubmodules(git, target))._unsafeUnwrap();
    expect(await Bun.file(join(target.workTree, "libs/sub/README.md")).text()).toBe("# Scratch\n");
    expect(await foreignGitlinks(target, ["libs/sub"])).toEqual([]);
    expect((await dirtySubmodules(git, target, ["libs/sub"]))._unsafeUnwrap()).toEqual([]);
    expect(await fingerprint(checkout)).toEqual(before);
  });

  test("that an agent changed are told: edited, with a new file, with another commit", async () => {
    await using sandbox = await sandboxed();
    const { git, target } = await ready(sandbox);
    (await fillSubmodules(git, target))._unsafeUnwrap();
    const inside = join(target.workTree, "libs/sub");
    const dirty = async () => (await dirtySubmodules(git, target, ["libs/sub"]))._unsafeUnwrap();
    const none = { path: "libs/sub", commitChanged: false, modified: false, untracked: false };
    // Git looks into a submodule as the user configured their own `git status`.
    await sandbox.git(inside, ["config", "--global", "status.showUntrackedFiles", "no"]);
    await writeFile(join(inside, "new.txt"), "new");
    expect(await dirty()).toEqual([{ ...none, untracked: true }]);
    await writeFile(join(inside, "README.md"), "edited");
    expect(await dirty()).toEqual([{ ...none, untracked: true, modified: true }]);
    await sandbox.commit(inside, {}, "inside");
    expect(await dirty()).toEqual([{ ...none, commitChanged: true }]);
    (await stageAll(git, target, { gitlinks: ["libs/sub"] }))._unsafeUnwrap();
    expect((await listStaged(git, target))._unsafeUnwrap().entries).toMatchObject([
      { path: "libs/sub", mode: "160000", status: "modified" },
    ]);
  });

  test("whose .git an agent replaced stop the staging, and no program of the agent's runs", async () => {
    await using sandbox = await sandboxed();
    const { git, target } = await ready(sandbox);
    (await fillSubmodules(git, target))._unsafeUnwrap();
    const inside = join(target.workTree, "libs/sub");
    const ran = join(sandbox.root, "ran");
    await rm(join(inside, ".git"));
    await sandbox.git(inside, ["init", "-q"]);
    await sandbox.commit(inside, { "README.md": "x" });
    await sandbox.git(inside, ["config", "filter.evil.clean", `touch ${ran}; cat`]);
    await writeFile(join(inside, ".gitattributes"), "* filter=evil\n");
    await writeFile(join(inside, "README.md"), "changed");
    const stopped = (await stageAll(git, target, { gitlinks: ["libs/sub"] }))._unsafeUnwrapErr();
    expect(stopped).toMatchObject({ kind: "foreign_git_directory", paths: ["libs/sub"] });
    const taken = (await takeSnapshot(git, target, { attempt: "a", reason: "test" }))._unsafeUnwrap();
    expect(taken.notContained).toContainEqual({ path: "libs/sub", reason: "submodule" });
    expect(await Bun.file(ran).exists()).toBe(false);
  });

  test("that are filled count as not contained in a snapshot, as long as they are there", async () => {
    await using sandbox = await sandboxed();
    const { git, target } = await ready(sandbox);
    const take = async () =>
      (await takeSnapshot(git, target, { attempt: "a", reason: "test" }))._unsafeUnwrap().notContained;
    expect(await take()).toEqual([]);
    (await fillSubmodules(git, target))._unsafeUnwrap();
    expect(await take()).toEqual([{ path: "libs/sub", reason: "submodule" }]);
  });
});
