import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addWorktree, addWorktreeOnBranch, checkoutWorktree } from "../../src/git/worktree/worktree-add.ts";
import { inspectWorktree, listWorktrees } from "../../src/git/worktree/worktree-list.ts";
import { pruneWorktree } from "../../src/git/worktree/worktree-prune.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { discovered, madeWorktree, productGit, TEST_TIMEOUT_MS, targetOf } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

async function ready(sandbox: GitSandbox) {
  const repo = await sandbox.repository("repo");
  const git = productGit(sandbox);
  const target = targetOf(await discovered(git, repo));
  const baseSha = await sandbox.git(repo, ["rev-parse", "main"]);
  const path = join(sandbox.root, "worktrees", "run_1");
  const wanted = { path, branch: "tazuna/one", baseBranch: "main", baseSha };
  return { repo, git, target, baseSha, path, wanted };
}

describe("a new worktree", () => {
  test("seed 003 Overall architecture, Phase 1 and GitService: `git worktree add -b` makes a worktree on its branch at the base, and answers WorktreeInfo (departs: `--no-track --no-checkout`; the checkout follows)", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, baseSha, path, wanted } = await ready(sandbox);
    const made = (await addWorktree(git, target, wanted))._unsafeUnwrap();
    expect(made).toEqual({
      path,
      branchName: "tazuna/one",
      baseBranch: "main",
      gitDir: join(repo, ".git", "worktrees", "run_1"),
      headSha: baseSha,
    });
    expect(await readdir(path)).toEqual([".git"]);
    (await checkoutWorktree(git, { gitDir: made.gitDir, workTree: path }))._unsafeUnwrap();
    expect((await readdir(path)).sort()).toEqual([".git", "README.md", "src"]);
    expect(await sandbox.git(path, ["status", "--porcelain=v2", "--branch"])).toBe(
      `# branch.oid ${baseSha}\n# branch.head tazuna/one`,
    );
  });

  test("is filled once the git of an engine that was killed lets go of its index", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, path, wanted } = await ready(sandbox);
    const made = (await addWorktree(git, target, wanted))._unsafeUnwrap();
    const lock = join(made.gitDir, "index.lock");
    await writeFile(lock, "");
    let settled = false;
    const filling = checkoutWorktree(git, { gitDir: made.gitDir, workTree: path }).finally(() => {
      settled = true;
    });
    // As long as a few calls of git take: the first try has met the lock by then.
    for (let call = 0; call < 5; call++) await sandbox.git(path, ["rev-parse", "HEAD"]);
    expect(settled).toBe(false);
    await rm(lock);
    (await filling)._unsafeUnwrap();
    expect((await readdir(path)).sort()).toEqual([".git", "README.md", "src"]);
  });

  test("of the same folder name gets a git directory of its own", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, wanted } = await ready(sandbox);
    (await addWorktree(git, target, wanted))._unsafeUnwrap();
    const second = { ...wanted, path: join(sandbox.root, "elsewhere", "run_1"), branch: "tazuna/two" };
    expect((await addWorktree(git, target, second))._unsafeUnwrap().gitDir).toEndWith("/worktrees/run_11");
  });

  test("is not made on a branch name that is taken, and the branch is named with its commit", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, baseSha, wanted } = await ready(sandbox);
    await sandbox.git(repo, ["branch", "tazuna/one"]);
    const failed = (await addWorktree(git, target, wanted))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ kind: "branch_taken", branch: "tazuna/one", sha: baseSha });
  });

  test("leaves a branch alone that another git made at the same instant", async () => {
    await using sandbox = await gitSandbox();
    const { repo, target, baseSha, wanted } = await ready(sandbox);
    const binary = join(sandbox.root, "git");
    const words = "fatal: cannot lock ref 'refs/heads/tazuna/one': reference already exists";
    await writeFile(
      binary,
      `#!/bin/sh\ncase "$*" in *"worktree add"*) git -C ${repo} branch tazuna/one; echo "${words}" >&2; exit 128;; esac\nexec git "$@"\n`,
    );
    await chmod(binary, 0o755);
    const failed = (await addWorktree(productGit(sandbox, { binary }), target, wanted))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ kind: "branch_taken", branch: "tazuna/one", sha: baseSha });
    expect(await sandbox.git(repo, ["rev-parse", "tazuna/one"])).toBe(baseSha);
  });

  test("is not made if a branch below its name exists", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, wanted } = await ready(sandbox);
    await sandbox.git(repo, ["branch", "tazuna/one/deeper"]);
    const failed = (await addWorktree(git, target, wanted))._unsafeUnwrapErr();
    expect(failed).toMatchObject({ kind: "branch_name_blocked", blockedBy: "tazuna/one/deeper" });
  });

  test("is not made over something else, nor if a lost one is still registered", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, path, wanted } = await ready(sandbox);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "precious.txt"), "mine");
    expect((await addWorktree(git, target, wanted))._unsafeUnwrapErr()).toMatchObject({
      kind: "path_taken",
      registered: false,
    });
    expect(await Bun.file(join(path, "precious.txt")).text()).toBe("mine");
    expect(await sandbox.git(repo, ["branch", "--list", "tazuna/*"])).toBe("");
    await rm(path, { recursive: true });
    (await addWorktree(git, target, wanted))._unsafeUnwrap();
    await rm(path, { recursive: true });
    const again = { ...wanted, branch: "tazuna/two" };
    expect((await addWorktree(git, target, again))._unsafeUnwrapErr()).toMatchObject({
      kind: "path_taken",
      registered: true,
    });
  });

  test("of an existing branch is made on it, unless it is checked out somewhere, which is named", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, path } = await ready(sandbox);
    await sandbox.git(repo, ["branch", "feature"]);
    const on = { path, branch: "feature", baseBranch: "main" };
    expect((await addWorktreeOnBranch(git, target, on))._unsafeUnwrap().branchName).toBe("feature");
    const second = { ...on, path: join(sandbox.root, "worktrees", "run_2") };
    expect((await addWorktreeOnBranch(git, target, second))._unsafeUnwrapErr()).toMatchObject({
      kind: "branch_checked_out",
      path,
    });
    const main = { ...second, branch: "main" };
    expect((await addWorktreeOnBranch(git, target, main))._unsafeUnwrapErr()).toMatchObject({
      kind: "branch_checked_out",
      path: repo,
    });
  });

  test("is not made from a base that does not exist", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, wanted } = await ready(sandbox);
    const failed = (
      await addWorktree(git, target, { ...wanted, baseSha: `${"0".repeat(39)}1` })
    )._unsafeUnwrapErr();
    expect(failed.kind).toBe("git_failed");
  });
});

describe("the worktrees of a repository", () => {
  test("are listed with branch, lock and what is missing, newlines in their paths included", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, baseSha, wanted } = await ready(sandbox);
    const strange = { ...wanted, path: join(sandbox.root, "work trees", "new\nline"), branch: "tazuna/two" };
    (await addWorktree(git, target, wanted))._unsafeUnwrap();
    (await addWorktree(git, target, strange))._unsafeUnwrap();
    await sandbox.git(repo, ["worktree", "lock", "--reason", "an agent works here", wanted.path]);
    await rm(strange.path, { recursive: true });
    const listed = (await listWorktrees(git, target))._unsafeUnwrap();
    const plain = { head: baseSha, bare: false, locked: null, prunable: null };
    expect(listed).toEqual([
      { ...plain, path: repo, branch: "main" },
      {
        ...plain,
        path: strange.path,
        branch: "tazuna/two",
        prunable: "gitdir file points to non-existent location",
      },
      { ...plain, path: wanted.path, branch: "tazuna/one", locked: "an agent works here" },
    ]);
  });

  test("seed 003 Clean-up and GitService: a worktree is unregistered, and no other (departs: moved away, then `git worktree prune`)", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, path, wanted } = await ready(sandbox);
    const usb = join(sandbox.root, "usb");
    await sandbox.git(repo, ["worktree", "add", "-q", usb]);
    await rename(usb, `${usb}.unmounted`);
    (await addWorktree(git, target, wanted))._unsafeUnwrap();
    expect((await pruneWorktree(git, target, path))._unsafeUnwrapErr().kind).toBe("worktree_present");
    await rename(path, join(sandbox.root, "trash"));
    (await pruneWorktree(git, target, path))._unsafeUnwrap();
    (await pruneWorktree(git, target, path))._unsafeUnwrap();
    const left = (await listWorktrees(git, target))._unsafeUnwrap().map((worktree) => worktree.path);
    expect(left).toEqual([repo, usb]);
  });

  test("lose only the one that was moved away, not the user's whose registration a power cut has emptied", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, path, wanted } = await ready(sandbox);
    const theirs = join(sandbox.root, "theirs");
    await sandbox.git(repo, ["worktree", "add", "-q", "--detach", theirs]);
    const registration = join(repo, ".git", "worktrees", "theirs");
    await writeFile(join(registration, "gitdir"), "");
    (await addWorktree(git, target, wanted))._unsafeUnwrap();
    await rename(path, join(sandbox.root, "trash"));
    (await pruneWorktree(git, target, path))._unsafeUnwrap();
    expect(await readdir(join(repo, ".git", "worktrees"))).toEqual(["theirs"]);
    expect(await readdir(registration)).toContain("index");
  });

  test("keep one that was moved away if a person locked it", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, path, wanted } = await ready(sandbox);
    (await addWorktree(git, target, wanted))._unsafeUnwrap();
    await sandbox.git(repo, ["worktree", "lock", path]);
    await rename(path, join(sandbox.root, "trash"));
    expect((await pruneWorktree(git, target, path))._unsafeUnwrapErr()).toEqual({
      kind: "locked_by_person",
      path,
      message: `a person locked the worktree ${path}`,
    });
    await sandbox.git(repo, ["worktree", "unlock", path]);
    (await pruneWorktree(git, target, path))._unsafeUnwrap();
    expect((await listWorktrees(git, target))._unsafeUnwrap()).toHaveLength(1);
  });
});

describe("a half made worktree is described by facts", () => {
  test("from nothing at all to a finished one", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target, baseSha, path, wanted } = await ready(sandbox);
    const look = async () =>
      (await inspectWorktree(git, target, { path, branch: wanted.branch }))._unsafeUnwrap();
    const nothing = {
      registered: null,
      directory: "absent",
      gitDir: null,
      hasIndex: false,
      branchSha: null,
    } as const;
    expect(await look()).toEqual(nothing);
    await sandbox.git(repo, ["branch", wanted.branch]);
    expect(await look()).toEqual({ ...nothing, branchSha: baseSha });
    await mkdir(path, { recursive: true });
    expect(await look()).toEqual({ ...nothing, branchSha: baseSha, directory: "empty" });
    await rm(path, { recursive: true });
    await sandbox.git(repo, ["branch", "-D", wanted.branch]);
    const made = (await addWorktree(git, target, wanted))._unsafeUnwrap();
    const added = await look();
    expect(added).toMatchObject({
      directory: "present",
      gitDir: made.gitDir,
      hasIndex: false,
      branchSha: baseSha,
    });
    expect(added.registered).toMatchObject({ path, branch: "tazuna/one", prunable: null });
    (await checkoutWorktree(git, { gitDir: made.gitDir, workTree: path }))._unsafeUnwrap();
    expect((await look()).hasIndex).toBe(true);
    await rm(join(path, ".git"));
    expect(await look()).toMatchObject({ gitDir: null, directory: "present" });
  });
});

test("seed 003 Clean-up: a worktree's repository is found although its `.git` was replaced (departs: from Tazuna's record)", async () => {
  await using sandbox = await gitSandbox();
  const { repo, git } = await ready(sandbox);
  const worktree = await madeWorktree(sandbox, git, repo);
  await rm(join(worktree.path, ".git"));
  await sandbox.git(worktree.path, ["init", "-q"]);
  await sandbox.git(worktree.path, ["config", "core.fsmonitor", "touch /tmp/never-run"]);
  const head = await git.run(worktree.target, ["symbolic-ref", "HEAD"]);
  expect(head._unsafeUnwrap().stdout).toBe("refs/heads/tazuna/0a1b2c3d\n");
});
