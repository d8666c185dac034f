import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listStaged } from "../../src/git/index/list-staged.ts";
import { stageAll, writeTree } from "../../src/git/index/stage.ts";
import { listUnstagedFiles } from "../../src/git/index/unstaged-files.ts";
import { type Files, type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { changeWithinOneSecond, madeWorktree, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

async function worktreeWith(sandbox: GitSandbox, files: Files) {
  const checkout = await sandbox.repository("checkout");
  await sandbox.commit(checkout, files);
  const git = productGit(sandbox);
  const { target } = await madeWorktree(sandbox, git, checkout);
  const tree = (await writeTree(git, target))._unsafeUnwrap();
  return { git, target, tree };
}

describe("files beside the index", () => {
  test("are told on both sides as `git add` would have them: changed, new, gone, links, modes and kinds", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, tree } = await worktreeWith(sandbox, {
      ".gitattributes": "*.txt text eol=lf\n",
      "counter.txt": "1\n",
      "gone.txt": "x\n",
      "tool.sh": "#!/bin/sh\n",
      "becomes-folder": "x\n",
      "becomes-link/inside.txt": "x\n",
      "becomes-file/inside.txt": "x\n",
      "same.txt": "same\n",
    });
    await writeFiles(target.workTree, {
      "counter.txt": "2\r\n",
      "gone.txt": null,
      "becomes-folder": null,
      "becomes-link/inside.txt": null,
      "becomes-file/inside.txt": null,
      "same.txt": "same\n",
      link: { kind: "link", content: "counter.txt" },
      ":(top)": "hostile",
    });
    await writeFiles(target.workTree, { "becomes-folder/report.txt": "r\n" });
    for (const folder of ["becomes-link", "becomes-file"])
      await rm(join(target.workTree, folder), { recursive: true, force: true });
    await symlink("becomes-folder", join(target.workTree, "becomes-link"));
    await writeFile(join(target.workTree, "becomes-file"), "x");
    await chmod(join(target.workTree, "tool.sh"), 0o755);
    const files = (await listUnstagedFiles(git, target, { tree }))._unsafeUnwrap();
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    const staged = (await listStaged(git, target))._unsafeUnwrap().entries;
    const state = (mode: string | null, sha: string | null) => mode && sha && { mode, sha };
    const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);
    expect([...files].sort(byPath)).toEqual(
      staged.map(({ path, previousMode, previousSha, mode, sha }) => ({
        path,
        was: state(previousMode, previousSha) || null,
        now: state(mode, sha) || null,
      })),
    );
    expect(files).toHaveLength(11);
  });

  test("are not overlooked if they were changed in the second in which git staged them, and kept their size", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await worktreeWith(sandbox, { "counter.txt": "0\n" });
    const place = { path: target.workTree, gitDir: target.gitDir };
    const tree = await changeWithinOneSecond(sandbox, place, "counter.txt");
    const files = (await listUnstagedFiles(git, target, { tree }))._unsafeUnwrap();
    expect(files.map(({ path }) => path)).toEqual(["counter.txt"]);
  });

  test("are none in a clean worktree, ignored ones and repositories apart", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, tree } = await worktreeWith(sandbox, { ".gitignore": "*.log\n" });
    await writeFile(join(target.workTree, "x.log"), "x");
    await sandbox.git(target.workTree, ["init", "--quiet", "nested"]);
    expect((await listUnstagedFiles(git, target, { tree }))._unsafeUnwrap()).toEqual([]);
  });

  test("are told without an object being written, and with the index as it was", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, tree } = await worktreeWith(sandbox, { "a.txt": "a\n" });
    await writeFiles(target.workTree, { "a.txt": "something that nobody ever stored\n" });
    const objects = () => sandbox.git(target.workTree, ["count-objects", "-v"]);
    const before = await objects();
    const [file] = (await listUnstagedFiles(git, target, { tree }))._unsafeUnwrap();
    expect(file?.now?.sha).toMatch(/^[0-9a-f]{40}$/);
    expect(await objects()).toBe(before);
    expect((await writeTree(git, target))._unsafeUnwrap()).toBe(tree);
  });
});
