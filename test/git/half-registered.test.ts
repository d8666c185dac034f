import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deleteBranch } from "../../src/git/refs/branch.ts";
import { addMayPass } from "../../src/git/runner/half-registered.ts";
import { addWorktree, addWorktreeOnBranch } from "../../src/git/worktree/worktree-add.ts";
import { listWorktrees } from "../../src/git/worktree/worktree-list.ts";
import { pruneWorktree } from "../../src/git/worktree/worktree-prune.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { program } from "../helpers/programs.ts";
import { deep } from "../helpers/tier.ts";
import { productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

test("a worktree that another git is just registering costs no command", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  const at = (name: string) => join(sandbox.root, name);
  const target = { gitDir: join(repo, ".git"), workTree: null };
  const baseSha = (await sandbox.git(repo, ["rev-parse", "HEAD"])).trim();
  for (const branch of ["old", "kept"]) await sandbox.git(repo, ["branch", branch]);
  for (const name of ["theirs", "run_moved"])
    await sandbox.git(repo, ["worktree", "add", "--quiet", "--detach", at(name)]);
  await rename(at("run_moved"), at("moved"));
  const commondir = join(target.gitDir, "worktrees", "theirs", "commondir");
  // The first two calls of a command meet the empty file. The third comes when the other git has filled it.
  const binary = at("git");
  const met = at("met");
  await writeFile(
    binary,
    `#!/bin/sh\necho call >> ${met}\n[ $(wc -l < ${met}) -gt 2 ] && echo ../.. > ${commondir}\nexec git "$@"\n`,
  );
  await chmod(binary, 0o755);
  const git = productGit(sandbox, { binary });
  const halfMade = async <T>(act: () => Promise<T>): Promise<T> => {
    await rm(met, { force: true });
    await writeFile(commondir, "");
    return act();
  };
  const wanted = { path: at("run_new"), branch: "tazuna/new", baseBranch: "main", baseSha };
  const added = await halfMade(() => addWorktree(git, target, wanted));
  expect(added._unsafeUnwrap()).toMatchObject({ branchName: "tazuna/new", headSha: baseSha });
  const onBranch = { path: at("run_kept"), branch: "kept", baseBranch: "main" };
  const again = await halfMade(() => addWorktreeOnBranch(git, target, onBranch));
  expect(again._unsafeUnwrap()).toMatchObject({ branchName: "kept" });
  expect((await halfMade(() => deleteBranch(git, target, "old")))._unsafeUnwrap()).toBe(baseSha);
  const listed = (await halfMade(() => listWorktrees(git, target)))._unsafeUnwrap();
  expect(listed.map(({ path }) => path)).toEqual(expect.arrayContaining([at("theirs"), at("run_new")]));
  expect((await halfMade(() => pruneWorktree(git, target, at("run_moved")))).isOk()).toBe(true);
});

test(
  deep("two processes that make and take away worktrees of one repository at once fail at nothing"),
  async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const sha = (await sandbox.git(repo, ["rev-parse", "HEAD"])).trim();
    const engine = async (name: string) => {
      const folder = join(sandbox.root, name);
      await mkdir(folder);
      const argv = [
        process.execPath,
        program("register-worktrees.ts"),
        join(repo, ".git"),
        folder,
        sha,
        "15",
      ];
      const child = Bun.spawn(argv, { env: { ...sandbox.env }, stdout: "pipe", stderr: "pipe" });
      return [await new Response(child.stdout).text(), await new Response(child.stderr).text()];
    };
    expect(await Promise.all(["a", "b", "c"].map(engine))).toEqual(Array(3).fill(["[]\n", ""]));
    expect(await sandbox.git(repo, ["worktree", "list"])).not.toContain("run_");
    expect(await sandbox.git(repo, ["branch", "--list", "tazuna/*"])).toBe("");
  },
);

test("only what another git does at that instant is tried again", () => {
  const error = (stderr: string) => ({
    ...{ kind: "git_failed" as const, command: "git worktree add", message: stderr, stdout: "" },
    ...{ exitCode: 128, signal: null, stderr },
  });
  const verdicts = [
    "fatal: failed to read /r/.git/worktrees/x/commondir: Success",
    "fatal: failed to read .git/worktrees/x/commondir: No such file or directory",
    "fatal: Invalid path '/r/.git/worktrees/x': No such file or directory",
    "Preparing worktree\nfatal: could not create directory of '/r/.git/worktrees/x': No such file or directory",
    "fatal: could not open '/r/.git/worktrees/x/locked' for writing: No such file or directory",
    "remote: fatal: failed to read /r/.git/worktrees/x/commondir: Success",
    "fatal: failed to read /r/.git/commondir: Success",
    "fatal: Invalid path '/r/worktree': No such file or directory",
    "fatal: could not create directory of '/r/.git/worktrees/x': Permission denied",
    "fatal: could not create leading directories of '/elsewhere/x': No such file or directory",
  ].map((stderr) => addMayPass(error(stderr)));
  expect(verdicts).toEqual([true, true, true, true, true, false, false, false, false, false]);
});
