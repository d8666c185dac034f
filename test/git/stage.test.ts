import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { diffFiles, diffPatchToFile } from "../../src/git/index/diff.ts";
import type { ChangedFile } from "../../src/git/index/diff-records.ts";
import { listStaged } from "../../src/git/index/list-staged.ts";
import { stageAll, writeTree } from "../../src/git/index/stage.ts";
import { unstage, unstageAll } from "../../src/git/index/unstage.ts";
import { listUnstaged } from "../../src/git/index/unstaged-files.ts";
import { type Files, type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { madeWorktree, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const HOSTILE = [
  "-rf",
  "--help",
  "new\nline.txt",
  "tab\there.txt",
  'quo"te.txt',
  "back\\slash.txt",
  ":(top)",
  ":!README.md",
  "*.txt",
  " leading and trailing ",
  "手綱/ユニコード.txt",
  "émoji 🐎.txt",
  "dir with space/-x",
  ".gitattributes.bak",
];

async function worktreeWith(sandbox: GitSandbox, files: Files = {}) {
  const repo = await sandbox.repository("repo");
  if (Object.keys(files).length > 0) await sandbox.commit(repo, files);
  const git = productGit(sandbox);
  const worktree = await madeWorktree(sandbox, git, repo);
  return { repo, git, worktree, target: worktree.target };
}

describe("staging", () => {
  test("seed 003 Phase 3 and GitService: `git add -A` takes everything: new, changed, deleted, executable and linked files, with their sizes", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox, {
      "gone.txt": "gone",
      "tool.sh": "#!/bin/sh\n",
      "link-to-be": "file",
    });
    await writeFiles(target.workTree, {
      "README.md": "# Changed\n",
      "gone.txt": null,
      "link-to-be": null,
      "new.txt": "12345",
      "run.sh": { kind: "executable", content: "#!/bin/sh\n" },
    });
    await writeFiles(target.workTree, { "link-to-be": { kind: "link", content: "../elsewhere" } });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    const staged = (await listStaged(git, target))._unsafeUnwrap().entries;
    expect(staged.map(({ sha, previousSha: _, ...rest }) => ({ ...rest, hasSha: sha !== null }))).toEqual([
      {
        path: "README.md",
        status: "modified",
        mode: "100644",
        previousMode: "100644",
        size: 10,
        hasSha: true,
      },
      { path: "gone.txt", status: "deleted", mode: null, previousMode: "100644", size: null, hasSha: false },
      {
        path: "link-to-be",
        status: "type_changed",
        mode: "120000",
        previousMode: "100644",
        size: 12,
        hasSha: true,
      },
      { path: "new.txt", status: "added", mode: "100644", previousMode: null, size: 5, hasSha: true },
      { path: "run.sh", status: "added", mode: "100755", previousMode: null, size: 10, hasSha: true },
    ]);
    const tree = (await writeTree(git, target))._unsafeUnwrap();
    expect(await sandbox.git(target.workTree, ["ls-tree", "-r", "--name-only", tree])).toBe(
      "README.md\nlink-to-be\nnew.txt\nrun.sh\nsrc/app.txt\ntool.sh",
    );
  });

  test("takes names that look like options, pathspecs or several lines, and each of them out again", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox);
    await writeFiles(target.workTree, Object.fromEntries(HOSTILE.map((name) => [name, "x"])));
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    const names = async () =>
      (await listStaged(git, target))
        ._unsafeUnwrap()
        .entries.map(({ path }) => path)
        .sort();
    expect(await names()).toEqual([...HOSTILE].sort());
    const [first = "", ...others] = HOSTILE;
    for (const name of others) {
      const before = await names();
      (await unstage(git, target, [name]))._unsafeUnwrap();
      expect(await names()).toEqual(before.filter((other) => other !== name));
    }
    expect(await names()).toEqual([first]);
    expect((await listUnstaged(git, target))._unsafeUnwrap()).toEqual([...others].sort());
    expect(await Bun.file(join(target.workTree, ":(top)")).text()).toBe("x");
  });

  test("says when a path could not be taken out, because its name is not UTF-8", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox);
    await writeFile(
      Buffer.concat([Buffer.from(`${target.workTree}/`), Buffer.from([0xff]), Buffer.from(".pem")]),
      "key",
    );
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    const staged = (await listStaged(git, target))._unsafeUnwrap().entries.map(({ path }) => path);
    expect(staged).toEqual(["\uFFFD.pem"]);
    expect((await unstage(git, target, staged))._unsafeUnwrapErr()).toMatchObject({
      kind: "still_staged",
      paths: staged,
    });
  });

  test("takes everything out at once, whatever it is called, and a merge goes on", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox);
    const head = await sandbox.git(target.workTree, ["rev-parse", "HEAD"]);
    await writeFile(join(target.gitDir, "MERGE_HEAD"), `${head}\n`);
    const name = Buffer.concat([Buffer.from(`${target.workTree}/`), Buffer.from([0xff])]);
    await writeFile(name, "key");
    await writeFiles(target.workTree, { "README.md": "changed", "src/app.txt": null, ":(top)": "new" });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    (await unstageAll(git, target))._unsafeUnwrap();
    expect((await listStaged(git, target))._unsafeUnwrap().entries).toEqual([]);
    expect(await Bun.file(join(target.workTree, "README.md")).text()).toBe("changed");
    expect(await Bun.file(join(target.gitDir, "MERGE_HEAD")).text()).toBe(`${head}\n`);
  });

  test("takes a changed file out as HEAD has it, and a deleted one back into the index", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox);
    await writeFiles(target.workTree, { "README.md": "changed", "src/app.txt": null, "new.txt": "new" });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    (await unstage(git, target, ["README.md", "src/app.txt"]))._unsafeUnwrap();
    expect((await listStaged(git, target))._unsafeUnwrap().entries.map(({ path }) => path)).toEqual([
      "new.txt",
    ]);
    expect((await listUnstaged(git, target))._unsafeUnwrap()).toEqual(["README.md", "src/app.txt"]);
  });

  test("leaves ignored files alone", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox, { ".gitignore": "*.log\n" });
    await writeFiles(target.workTree, { "a.log": "x", "b.txt": "x" });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    expect((await listStaged(git, target))._unsafeUnwrap().entries.map(({ path }) => path)).toEqual([
      "b.txt",
    ]);
  });

  test("takes files that were made outside a sparse checkout", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox, { "other/a.txt": "a" });
    await sandbox.git(target.workTree, ["sparse-checkout", "set", "src"]);
    await writeFiles(target.workTree, { "other/new.txt": "new", "src/in.txt": "in" });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    expect(
      (await listStaged(git, target))._unsafeUnwrap().entries.map(({ path, status }) => [path, status]),
    ).toEqual([
      ["other/new.txt", "added"],
      ["src/in.txt", "added"],
    ]);
  });

  test("names a nested repository without a commit, and lists one that has some as a commit's id", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox, { ".gitignore": "vendor/\n" });
    for (const name of ["plain", "deep/with commit", "vendor/ignored"]) {
      await mkdir(join(target.workTree, name), { recursive: true });
      await sandbox.git(join(target.workTree, name), ["init", "-q"]);
    }
    await sandbox.commit(join(target.workTree, "deep/with commit"), { "inner.txt": "x" });
    const failed = (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ kind: "nested_repository", paths: ["plain"] });
    await rm(join(target.workTree, "plain"), { recursive: true });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    expect((await listStaged(git, target))._unsafeUnwrap().entries).toMatchObject([
      { path: "deep/with commit", mode: "160000", size: null },
    ]);
  });

  test("a pipe in place of a tracked file is named, in plain words", async () => {
    await using sandbox = await gitSandbox();
    const { git, worktree, target } = await worktreeWith(sandbox);
    await rm(join(worktree.path, "README.md"));
    await Bun.spawn(["mkfifo", join(worktree.path, "README.md")]).exited;
    const failed = (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrapErr();
    expect(failed).toMatchObject({
      kind: "special_file",
      message: "README.md is a pipe, a socket or a device now: git takes files, links and folders",
    });
  });

  test("an agent cannot hide a nested repository from the list by .gitmodules", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox);
    await mkdir(join(target.workTree, "sub"));
    await sandbox.git(join(target.workTree, "sub"), ["init", "-q"]);
    await sandbox.commit(join(target.workTree, "sub"), { "inner.txt": "x" });
    await writeFiles(target.workTree, {
      ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = all\n',
    });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    const staged = (await listStaged(git, target))._unsafeUnwrap().entries;
    expect(staged.map(({ path, mode }) => [path, mode])).toEqual([
      [".gitmodules", "100644"],
      ["sub", "160000"],
    ]);
  });
});

describe("a difference", () => {
  test("seed 003 Phase 3, GitService and Orchestrator: `git diff HEAD --cached` is the unified patch of one form, whatever the user's diff settings", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target } = await worktreeWith(sandbox, { ".gitattributes": "*.txt diff=upper\n" });
    for (const [key, value] of Object.entries({
      "diff.noprefix": "true",
      "diff.external": "/nowhere/diff",
      "diff.context": "0",
      "diff.orderFile": "/nowhere/order",
      "diff.srcPrefix": "old/",
      "diff.dstPrefix": "new/",
      "color.ui": "always",
      "diff.upper.textconv": "tr a-z A-Z <",
    }))
      await sandbox.git(repo, ["config", "--global", key, value]);
    await writeFiles(target.workTree, { "src/app.txt": "one\nTWO\nthree\n" });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    const file = join(sandbox.root, "patch");
    (await diffPatchToFile(git, target, { comparison: "staged", file }))._unsafeUnwrap();
    const made = await Bun.file(file).text();
    expect(made.replace(/^index .*$/m, "index")).toBe(
      "diff --git a/src/app.txt b/src/app.txt\nindex\n--- a/src/app.txt\n+++ b/src/app.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n",
    );
  });

  test("tells renames whatever number of them the user's git looks for", async () => {
    await using sandbox = await gitSandbox();
    const long = (word: string) => `${`a line with ${word}\n`.repeat(20)}`;
    const { repo, git, target } = await worktreeWith(sandbox, { "a.txt": long("one"), "b.txt": long("two") });
    await sandbox.git(repo, ["config", "--global", "diff.renameLimit", "1"]);
    const moved = { "c.txt": `${long("one")}more\n`, "d.txt": `${long("two")}more\n` };
    await writeFiles(target.workTree, { "a.txt": null, "b.txt": null, ...moved });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    expect((await diffFiles(git, target, "staged"))._unsafeUnwrap()).toMatchObject([
      { path: "c.txt", previousPath: "a.txt" },
      { path: "d.txt", previousPath: "b.txt" },
    ]);
  });

  test("lists files with their lines: added, deleted, renamed, binary, with hostile names", async () => {
    await using sandbox = await gitSandbox();
    const long = Array.from({ length: 50 }, (_, n) => `line ${n}`).join("\n");
    const { git, target } = await worktreeWith(sandbox, {
      "old\nname.txt": `${long}\n`,
      "gone.txt": "1\n2\n",
    });
    await writeFiles(target.workTree, {
      "old\nname.txt": null,
      ":new\tname.txt": `${long}\nmore\n`,
      "gone.txt": null,
      "-new": "a\nb\nc\n",
      "data.bin": "\0\x01\x02",
      ":colon": "x\n",
      "src/app.txt": "one\n2\nthree\n",
    });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    const file = (
      path: string,
      status: ChangedFile["status"],
      additions: number | null,
      deletions: number | null,
    ) => ({
      path,
      previousPath: null as string | null,
      status,
      additions,
      deletions,
    });
    const expected = [
      file("-new", "added", 3, 0),
      file(":colon", "added", 1, 0),
      { ...file(":new\tname.txt", "renamed", 1, 0), previousPath: "old\nname.txt" },
      file("data.bin", "added", null, null),
      file("gone.txt", "deleted", 0, 2),
      file("src/app.txt", "modified", 1, 1),
    ];
    const byPath = (a: ChangedFile, b: ChangedFile) => (a.path < b.path ? -1 : 1);
    expect([...(await diffFiles(git, target, "staged"))._unsafeUnwrap()].sort(byPath)).toEqual(expected);
    const { entries, stat } = (await listStaged(git, target))._unsafeUnwrap();
    expect(stat).toEqual({ files: 6, additions: 6, deletions: 3 });
    const renamed = entries.filter(({ path }) => path.includes("name.txt"));
    expect(renamed.map(({ sha: _, previousSha: __, ...rest }) => rest)).toEqual([
      {
        path: ":new\tname.txt",
        status: "added",
        mode: "100644",
        previousMode: null,
        size: long.length + "\nmore\n".length,
      },
      { path: "old\nname.txt", status: "deleted", mode: null, previousMode: "100644", size: null },
    ]);
    const tree = (await writeTree(git, target))._unsafeUnwrap();
    const trees = { from: "HEAD", to: tree };
    expect([...(await diffFiles(git, target, trees))._unsafeUnwrap()].sort(byPath)).toEqual(expected);
    const patch = join(sandbox.root, "patch");
    (await diffPatchToFile(git, target, { comparison: trees, file: patch }))._unsafeUnwrap();
    expect(await Bun.file(patch).text()).toContain("Binary files /dev/null and b/data.bin differ");
    const paths = ["old\nname.txt", ":new\tname.txt"];
    (await diffPatchToFile(git, target, { comparison: trees, file: patch, paths }))._unsafeUnwrap();
    expect((await Bun.file(patch).text()).match(/^(?:diff|rename).*$/gm)).toEqual([
      'diff --git "a/old\\nname.txt" "b/:new\\tname.txt"',
      'rename from "old\\nname.txt"',
      'rename to ":new\\tname.txt"',
    ]);
  });

  test("is empty if nothing is staged", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox);
    const file = join(sandbox.root, "patch");
    (await diffPatchToFile(git, target, { comparison: "staged", file }))._unsafeUnwrap();
    expect(await Bun.file(file).text()).toBe("");
    expect((await diffFiles(git, target, "staged"))._unsafeUnwrap()).toEqual([]);
    expect((await listStaged(git, target))._unsafeUnwrap().entries).toEqual([]);
  });
});
