import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lfsFacts, pushLfs } from "../../src/git/index/lfs.ts";
import { stageAll } from "../../src/git/index/stage.ts";
import { addWorktree, checkoutWorktree } from "../../src/git/worktree/worktree-add.ts";
import { gitHttpServer } from "../helpers/git-http-server.ts";
import { type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { GIT_LFS } from "../helpers/need.ts";
import { tally } from "../helpers/tally.ts";
import { discovered, madeWorktree, productGit, TEST_TIMEOUT_MS, targetOf } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const FILTERS =
  '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n\trequired = true\n';

/** A stand-in for git-lfs: content becomes a short pointer on the way in and comes back on the way out. */
async function fakeLfs(sandbox: GitSandbox): Promise<Readonly<Record<string, string>>> {
  const bin = join(sandbox.root, "bin");
  await mkdir(bin);
  const store = join(sandbox.root, "lfs-store");
  await mkdir(store);
  const script = `#!/bin/sh
case "$1" in
  version) echo "git-lfs/0.0.0 (a stand-in)";;
  clean) cat > "${store}/new"; id=$(sha256sum "${store}/new" | cut -c1-64); mv "${store}/new" "${store}/$id"; echo "pointer $id";;
  smudge) read -r _ id; cat "${store}/$id";;
  push) echo "$*" >> "${store}/pushes";;
  *) exit 1;;
esac
`;
  await writeFile(join(bin, "git-lfs"), script);
  await chmod(join(bin, "git-lfs"), 0o755);
  return { PATH: `${bin}:${sandbox.env.PATH}` };
}

describe("Git LFS", () => {
  test("is not used unless the attributes say so, and git-lfs is not asked then", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox);
    const { target } = await madeWorktree(sandbox, git, repo);
    expect((await lfsFacts(git, target))._unsafeUnwrap()).toEqual({
      used: false,
      installed: false,
      configured: false,
    });
  });

  test("is found in a deep .gitattributes, also one that the agent has just staged", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.commit(repo, {
      "assets/deep/.gitattributes": "*.psd  filter=lfs diff=lfs merge=lfs -text\n",
    });
    const git = productGit(sandbox);
    const committed = await madeWorktree(sandbox, git, repo);
    expect((await lfsFacts(git, committed.target))._unsafeUnwrap()).toMatchObject({
      used: true,
      configured: false,
    });
    const other = await sandbox.repository("other");
    const { target } = await madeWorktree(sandbox, git, other, { branch: "tazuna/other" });
    await writeFiles(target.workTree, { ".gitattributes": "*.bin filter=lfs\n" });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    expect((await lfsFacts(git, target))._unsafeUnwrap()).toMatchObject({ used: true, configured: false });
  });

  test("with a git-lfs stores pointers, restores content, and pushes through it", async () => {
    await using sandbox = await gitSandbox({ globalConfig: FILTERS });
    const env = await fakeLfs(sandbox);
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox, { env });
    const { target, branchName } = await madeWorktree(sandbox, git, repo);
    await writeFiles(target.workTree, { ".gitattributes": "*.bin filter=lfs\n", "big.bin": "large content" });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    expect((await lfsFacts(git, target))._unsafeUnwrap()).toEqual({
      used: true,
      installed: true,
      configured: true,
    });
    expect(await sandbox.git(target.workTree, ["cat-file", "blob", ":big.bin"])).toStartWith("pointer ");
    (await checkoutWorktree(git, target))._unsafeUnwrap();
    const sha = await sandbox.git(target.workTree, ["rev-parse", "HEAD"]);
    (await pushLfs(git, target, { remote: "origin", branch: branchName, sha }))._unsafeUnwrap();
    expect(await Bun.file(join(sandbox.root, "lfs-store", "pushes")).text()).toBe(`push origin ${sha}\n`);
  });

  test.skipIf(GIT_LFS.missing)(
    `pushes to the place in the committed .lfsconfig, never to that of an uncommitted one${GIT_LFS.why}`,
    async () => {
      await using sandbox = await gitSandbox({ globalConfig: FILTERS });
      const origin = await sandbox.origin("hub.git");
      const repo = await sandbox.clone(origin, "repo");
      await sandbox.commit(repo, { ".gitattributes": "*.bin filter=lfs\n", ".gitignore": ".lfsconfig\n" });
      await sandbox.git(repo, ["push", "--quiet"]);
      const git = productGit(sandbox);
      const { target, branchName } = await madeWorktree(sandbox, git, repo, { base: "main" });
      await writeFiles(target.workTree, { "big.bin": "large content" });
      (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
      await sandbox.git(target.workTree, ["commit", "--quiet", "-m", "large"]);
      await writeFiles(target.workTree, { ".lfsconfig": "[lfs]\n\turl = http://127.0.0.1:1/lfs\n" });
      const sha = await sandbox.git(target.workTree, ["rev-parse", "HEAD"]);
      (await pushLfs(git, target, { remote: "origin", branch: branchName, sha }))._unsafeUnwrap();
      expect((await readdir(join(origin, "lfs"), { recursive: true })).length).toBeGreaterThan(0);
      tally("attack", "an .lfsconfig that git ignores says where large files go");
    },
  );

  test.skipIf(GIT_LFS.missing)(
    `pushes the files of the commit alone, also if the branch was moved on${GIT_LFS.why}`,
    async () => {
      await using sandbox = await gitSandbox({ globalConfig: FILTERS });
      await using server = await gitHttpServer(sandbox.root);
      const origin = await sandbox.origin("hub.git");
      const repo = await sandbox.clone(origin, "repo");
      await sandbox.git(repo, ["remote", "set-url", "origin", server.url("hub.git")]);
      const git = productGit(sandbox);
      const { target, branchName } = await madeWorktree(sandbox, git, repo, { base: "main" });
      const committed = async (content: string) => {
        await writeFiles(target.workTree, { ".gitattributes": "*.bin filter=lfs\n", "big.bin": content });
        (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
        await sandbox.git(target.workTree, ["commit", "--quiet", "-m", content]);
        return sandbox.git(target.workTree, ["rev-parse", "HEAD"]);
      };
      const sha = await committed("was judged");
      await committed("nobody read that");
      (await pushLfs(git, target, { remote: "origin", branch: branchName, sha }))._unsafeUnwrap();
      expect([...server.lfs.values()].map(String)).toEqual(["was judged"]);
      expect(server.lfsRefs).toEqual([`refs/heads/${branchName}`]);
      tally("attack", "a branch that is moved while its large files are pushed");
    },
  );

  test("that is missing is reported as missing, before a checkout and before a commit", async () => {
    await using sandbox = await gitSandbox();
    const env = await fakeLfs(sandbox);
    const repo = await sandbox.repository("repo");
    await writeFile(
      join(sandbox.home, ".gitconfig"),
      `${await Bun.file(join(sandbox.home, ".gitconfig")).text()}${FILTERS}`,
    );
    await writeFiles(repo, { ".gitattributes": "*.bin filter=lfs\n", "big.bin": "large content" });
    await sandbox.git(repo, ["add", "-A"], { env });
    await sandbox.git(repo, ["commit", "-q", "-m", "lfs"], { env });
    const path = { PATH: await withoutLfs(sandbox) };
    const git = productGit(sandbox, { env: path });
    const target = targetOf(await discovered(git, repo));
    const baseSha = await sandbox.git(repo, ["rev-parse", "HEAD"]);
    const wanted = { path: join(sandbox.root, "worktree"), branch: "tazuna/x", baseBranch: "main", baseSha };
    const made = (await addWorktree(git, target, wanted))._unsafeUnwrap();
    const own = { gitDir: made.gitDir, workTree: made.path };
    expect((await checkoutWorktree(git, own))._unsafeUnwrapErr()).toMatchObject({
      kind: "filter_failed",
      filter: "lfs",
    });
    await sandbox.git(own.workTree, ["reset", "-q"], { env });
    await writeFiles(own.workTree, { "new.bin": "new" });
    expect((await stageAll(git, own, { gitlinks: [] }))._unsafeUnwrapErr()).toMatchObject({
      kind: "filter_failed",
      filter: "lfs",
    });
    expect((await lfsFacts(git, own))._unsafeUnwrap()).toEqual({
      used: true,
      installed: false,
      configured: true,
    });
  });

  test.skipIf(GIT_LFS.missing)(`works with the real git-lfs${GIT_LFS.why}`, async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.git(repo, ["lfs", "install", "--skip-repo"]);
    const git = productGit(sandbox);
    const { target } = await madeWorktree(sandbox, git, repo);
    await writeFiles(target.workTree, {
      ".gitattributes": "*.bin filter=lfs\n",
      "big.bin": "large content",
    });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    expect((await lfsFacts(git, target))._unsafeUnwrap()).toEqual({
      used: true,
      installed: true,
      configured: true,
    });
    expect(await sandbox.git(target.workTree, ["cat-file", "blob", ":big.bin"])).toContain(
      "git-lfs.github.com/spec",
    );
  });
});

/** A folder with links to all that such a machine has beside it. Git itself usually lies in the same one. */
async function withoutLfs(sandbox: GitSandbox): Promise<string> {
  const bin = join(sandbox.root, "bin-without-lfs");
  await mkdir(bin);
  for (const folder of (sandbox.env.PATH ?? "").split(":"))
    for (const name of await readdir(folder).catch(() => []))
      if (!name.startsWith("git-lfs")) await symlink(join(folder, name), join(bin, name)).catch(() => {});
  return bin;
}
