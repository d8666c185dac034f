import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { stageAll, writeTree } from "../../src/git/index/stage.ts";
import { listUnstaged } from "../../src/git/index/unstaged-files.ts";
import { lastReflogLine } from "../../src/git/refs/reflog.ts";
import { addEverything, cloneBare, initRepository } from "../../src/git/repository/scratch-repository.ts";
import { restoreTree } from "../../src/git/worktree/restore-files.ts";
import { gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { discovered, madeWorktree, productGit, remoteOf, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

describe("a tree", () => {
  test("is written back over the tracked files; untracked ones and the index stay", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox);
    const { target, path } = await madeWorktree(sandbox, git, repo);
    await writeFiles(path, { ":(top)": "first", "README.md": "first" });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    const tree = (await writeTree(git, target))._unsafeUnwrap();
    await writeFiles(path, { ":(top)": null, "README.md": "second", "later.txt": "later" });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    await writeFiles(path, { "untracked.txt": "mine" });
    const staged = (await writeTree(git, target))._unsafeUnwrap();
    (await restoreTree(git, target, { tree }))._unsafeUnwrap();
    const read = (name: string) => Bun.file(join(path, name)).text();
    expect([await read(":(top)"), await read("README.md"), await read("untracked.txt")]).toEqual([
      "first",
      "first",
      "mine",
    ]);
    expect(await Bun.file(join(path, "later.txt")).exists()).toBe(false);
    expect((await writeTree(git, target))._unsafeUnwrap()).toBe(staged);
  });
});

describe("what is not staged", () => {
  test("does not count a file that was only touched", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox);
    const { target, path } = await madeWorktree(sandbox, git, repo);
    await sandbox.git(repo, ["config", "--global", "diff.autoRefreshIndex", "false"]);
    await utimes(join(path, "README.md"), new Date(0), new Date(0));
    expect((await listUnstaged(git, target))._unsafeUnwrap()).toEqual([]);
    await writeFiles(path, { "src/app.txt": "changed", "-new": "new" });
    expect((await listUnstaged(git, target))._unsafeUnwrap()).toEqual(["-new", "src/app.txt"]);
  });
});

describe("the log of a reference", () => {
  test("tells who moved it last and why, and is nothing where none is kept", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.commit(repo, { "new.txt": "new" }, "the newest");
    const git = productGit(sandbox);
    const target = { gitDir: join(repo, ".git"), workTree: null };
    const line = (await lastReflogLine(git, target, "refs/heads/main"))._unsafeUnwrap();
    expect(line).toMatch(/^main@\{.*\} Tess Tester <tess@example.com> commit: the newest$/);
    expect((await lastReflogLine(git, target, "refs/heads/none"))._unsafeUnwrap()).toBeNull();
  });
});

describe("a scratch repository", () => {
  test("has one commit by Tazuna and a bare origin, whatever the user's own settings are", async () => {
    await using sandbox = await gitSandbox({
      identity: "none",
      globalConfig: "[init]\n\tdefaultBranch = trunk\n[commit]\n\tgpgSign = true\n",
    });
    const git = productGit(sandbox);
    const path = join(sandbox.root, "demo");
    await mkdir(path);
    (await initRepository(git, path))._unsafeUnwrap();
    await writeFiles(path, { "README.md": "demo" });
    (await addEverything(git, path, "First"))._unsafeUnwrap();
    (await cloneBare(git, { from: path, to: join(sandbox.root, "origin.git") }))._unsafeUnwrap();
    const repository = await discovered(git, path);
    expect(await remoteOf(git, repository)).toMatchObject({
      name: "origin",
      fetchUrl: join(sandbox.root, "origin.git"),
    });
    expect(await sandbox.git(path, ["log", "--format=%an %D"])).toBe("Tazuna HEAD -> main, origin/main");
  });
});
