import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { branchInTheWay, deleteBranch, deleteBranchAt } from "../../src/git/refs/branch.ts";
import {
  deleteRef,
  listRefs,
  pointHeadAt,
  readHead,
  readRef,
  resetSoft,
  updateRef,
} from "../../src/git/refs/refs.ts";
import { clearOperation, operationInProgress } from "../../src/git/worktree/merge-state.ts";
import { type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { deep } from "../helpers/tier.ts";
import { discovered, madeWorktree, productGit, TEST_TIMEOUT_MS, targetOf } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

async function ready(sandbox: GitSandbox) {
  const repo = await sandbox.repository("repo");
  const first = await sandbox.git(repo, ["rev-parse", "HEAD"]);
  const second = await sandbox.commit(repo, { "two.txt": "2" });
  const git = productGit(sandbox);
  return { repo, git, first, second, target: targetOf(await discovered(git, repo)) };
}

describe("references", () => {
  test("are listed in full, symbolic ones with what they stand for", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, first, second, target } = await ready(sandbox);
    await sandbox.git(repo, ["branch", "feature/ü", first]);
    await sandbox.git(repo, ["symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/main"]);
    expect((await listRefs(git, target))._unsafeUnwrap()).toEqual([
      { name: "refs/heads/feature/ü", sha: first, symref: null },
      { name: "refs/heads/main", sha: second, symref: null },
      { name: "refs/remotes/origin/HEAD", sha: second, symref: "refs/heads/main" },
    ]);
    expect((await listRefs(git, target, { prefixes: ["refs/tags"] }))._unsafeUnwrap()).toEqual([]);
  });

  test("move only from the value that is expected", async () => {
    await using sandbox = await gitSandbox();
    const { git, first, second, target } = await ready(sandbox);
    const ref = "refs/tazuna/x";
    const reason = "test";
    (await updateRef(git, target, { ref, from: null, to: first, reason }))._unsafeUnwrap();
    expect(
      (await updateRef(git, target, { ref, from: null, to: second, reason }))._unsafeUnwrapErr(),
    ).toMatchObject({ kind: "ref_moved", expected: null, current: first });
    expect(
      (await updateRef(git, target, { ref, from: second, to: first, reason }))._unsafeUnwrapErr(),
    ).toMatchObject({ kind: "ref_moved", expected: second, current: first });
    (await updateRef(git, target, { ref, from: first, to: second, reason }))._unsafeUnwrap();
    expect((await deleteRef(git, target, { ref, from: first }))._unsafeUnwrapErr()).toMatchObject({
      kind: "ref_moved",
      current: second,
    });
    (await deleteRef(git, target, { ref, from: second }))._unsafeUnwrap();
    (await deleteRef(git, target, { ref, from: second }))._unsafeUnwrap();
    expect((await readRef(git, target, ref))._unsafeUnwrap()).toBeNull();
  });

  test("that stand for another one are moved and deleted themselves, and the other one stays", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, first, second, target } = await ready(sandbox);
    const at = (ref: string) => sandbox.git(repo, ["rev-parse", "--verify", ref]);
    const alias = "refs/heads/alias";
    await sandbox.git(repo, ["symbolic-ref", alias, "refs/heads/main"]);
    const move = { ref: alias, from: second, to: first, reason: "test" };
    (await updateRef(git, target, move))._unsafeUnwrap();
    expect([await at(alias), await at("refs/heads/main")]).toEqual([first, second]);
    await sandbox.git(repo, ["symbolic-ref", alias, "refs/heads/main"]);
    (await deleteRef(git, target, { ref: alias, from: second }))._unsafeUnwrap();
    expect(await at("refs/heads/main")).toBe(second);
    expect((await listRefs(git, target, { prefixes: [alias] }))._unsafeUnwrap()).toEqual([]);
    await sandbox.git(repo, ["symbolic-ref", alias, "refs/heads/not/born"]);
    (await updateRef(git, target, { ...move, from: null }))._unsafeUnwrap();
    expect(await at(alias)).toBe(first);
  });

  test(deep("of a foreign lock are waited for, and then named"), async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, first, target } = await ready(sandbox);
    await writeFile(join(repo, ".git", "refs", "heads", "locked.lock"), "");
    const moved = await updateRef(git, target, {
      ref: "refs/heads/locked",
      from: null,
      to: first,
      reason: "test",
    });
    expect(moved._unsafeUnwrapErr().kind).toBe("locked");
  });
});

describe("HEAD of a worktree", () => {
  test("is put back on its branch at the start commit, and the files stay", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git } = await ready(sandbox);
    const worktree = await madeWorktree(sandbox, git, repo);
    const { target } = worktree;
    await sandbox.git(worktree.path, ["checkout", "-q", "--detach"]);
    await sandbox.commit(worktree.path, { "agent.txt": "committed by an agent" });
    expect((await readHead(git, target))._unsafeUnwrap().branch).toBeNull();
    (await pointHeadAt(git, target, worktree.branchName))._unsafeUnwrap();
    (await resetSoft(git, target, worktree.headSha))._unsafeUnwrap();
    expect((await readHead(git, target))._unsafeUnwrap()).toEqual({
      sha: worktree.headSha,
      branch: worktree.branchName,
    });
    expect(await sandbox.git(worktree.path, ["status", "--porcelain"])).toBe("A  agent.txt");
  });

  test("is put back from conflicts in the index too, the files as the agent left them", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git } = await ready(sandbox);
    const worktree = await madeWorktree(sandbox, git, repo);
    const { target } = worktree;
    await sandbox.git(worktree.path, ["checkout", "-q", "-b", "other"]);
    await sandbox.commit(worktree.path, { "same.txt": "theirs" });
    await sandbox.git(worktree.path, ["checkout", "-q", worktree.branchName]);
    await sandbox.commit(worktree.path, { "same.txt": "ours" });
    await sandbox.git(worktree.path, ["merge", "-q", "other"]).catch(() => "conflicts");
    const file = await Bun.file(`${worktree.path}/same.txt`).text();
    (await clearOperation(git, target))._unsafeUnwrap();
    (await resetSoft(git, target, worktree.headSha))._unsafeUnwrap();
    expect((await readHead(git, target))._unsafeUnwrap()).toEqual({
      sha: worktree.headSha,
      branch: worktree.branchName,
    });
    expect(await sandbox.git(worktree.path, ["status", "--porcelain"])).toBe("?? same.txt");
    expect(await Bun.file(`${worktree.path}/same.txt`).text()).toBe(file);
  });

  test("is told whether its branch lies in a file of its own, is packed, or is none at all", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git } = await ready(sandbox);
    const { target, headSha, branchName, path } = await madeWorktree(sandbox, git, repo);
    const told = async () => (await readHead(git, target))._unsafeUnwrap();
    expect(await told()).toEqual({ sha: headSha, branch: branchName });
    await sandbox.git(repo, ["pack-refs", "--all", "--prune"]);
    expect(await told()).toEqual({ sha: headSha, branch: branchName });
    await sandbox.git(path, ["checkout", "-q", "--detach"]);
    expect(await told()).toEqual({ sha: headSha, branch: null });
    await writeFile(join(target.gitDir, "HEAD"), "ref: refs/heads/../../HEAD\n");
    expect((await readHead(git, target)).isErr()).toBe(true);
  });

  test("has no commit before the first one", async () => {
    await using sandbox = await gitSandbox();
    const git = productGit(sandbox);
    const repo = await discovered(git, await sandbox.repository("empty", { empty: true }));
    expect((await readHead(git, targetOf(repo)))._unsafeUnwrap()).toEqual({ sha: null, branch: "main" });
  });
});

describe("a branch", () => {
  test("seed 003 Clean-up: a branch is deleted with its configuration, but not if it is checked out", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target } = await ready(sandbox);
    await sandbox.git(repo, ["branch", "tazuna/x"]);
    await sandbox.git(repo, ["config", "branch.tazuna/x.remote", "origin"]);
    (await deleteBranch(git, target, "tazuna/x"))._unsafeUnwrap();
    (await deleteBranch(git, target, "tazuna/x"))._unsafeUnwrap();
    expect(await Bun.file(join(repo, ".git", "config")).text()).not.toContain("tazuna");
    expect((await deleteBranch(git, target, "main"))._unsafeUnwrapErr()).toMatchObject({
      kind: "branch_checked_out",
    });
    const worktree = await madeWorktree(sandbox, git, repo);
    expect((await deleteBranch(git, target, worktree.branchName))._unsafeUnwrapErr().kind).toBe(
      "branch_checked_out",
    );
  });

  test("that was moved before it was deleted is there again, with the new commit", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, first, second, target } = await ready(sandbox);
    await sandbox.git(repo, ["branch", "tazuna/x", second]);
    const moved = await deleteBranchAt(git, target, { branch: "tazuna/x", at: first });
    expect(moved._unsafeUnwrapErr()).toMatchObject({ kind: "ref_moved", expected: first, current: second });
    expect(await sandbox.git(repo, ["rev-parse", "tazuna/x"])).toBe(second);
    (await deleteBranchAt(git, target, { branch: "tazuna/x", at: second }))._unsafeUnwrap();
    (await deleteBranchAt(git, target, { branch: "tazuna/x", at: second }))._unsafeUnwrap();
    expect(await sandbox.git(repo, ["branch", "--list", "tazuna/x"])).toBe("");
  });

  test("in the way of another is found above and below it", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target } = await ready(sandbox);
    await sandbox.git(repo, ["branch", "a/b"]);
    const inTheWay = async (branch: string) => (await branchInTheWay(git, target, branch))._unsafeUnwrap();
    expect(await inTheWay("a/b/c/d")).toBe("a/b");
    expect(await inTheWay("a")).toBe("a/b");
    expect(await inTheWay("a/b")).toBeNull();
    expect(await inTheWay("a/c")).toBeNull();
  });
});

describe("an operation in progress", () => {
  /** Main and side change the same line. */
  async function diverged(sandbox: GitSandbox) {
    const { repo, git, target } = await ready(sandbox);
    await sandbox.git(repo, ["checkout", "-q", "-b", "side"]);
    await sandbox.commit(repo, { "src/app.txt": "side\n" });
    await sandbox.git(repo, ["checkout", "-q", "main"]);
    await sandbox.commit(repo, { "src/app.txt": "main\n" });
    const worktree = await madeWorktree(sandbox, git, repo);
    return { repo, git, target, worktree, own: worktree.target };
  }
  const who = ["-c", "user.name=A", "-c", "user.email=a@b.c"];

  for (const [name, args] of [
    ["merge", ["merge", "side"]],
    ["cherry-pick", ["cherry-pick", "side"]],
    ["revert", ["revert", "--no-edit", "HEAD~1"]],
    ["rebase", ["rebase", "side"]],
    ["bisect", ["bisect", "start", "HEAD", "HEAD~2"]],
  ] as const)
    test(`such as a ${name} is named, and ended with the files kept`, async () => {
      await using sandbox = await gitSandbox();
      const { git, worktree, own } = await diverged(sandbox);
      if (name === "revert") await sandbox.commit(worktree.path, { "two.txt": "changed" });
      if (name === "revert") await sandbox.commit(worktree.path, { "two.txt": "changed again" });
      await writeFiles(worktree.path, { "untracked.txt": "mine" });
      await sandbox.git(worktree.path, [...who, ...args]).catch(() => undefined);
      expect((await operationInProgress(git, own))._unsafeUnwrap()).toEqual({ name, autostash: null });
      const before = await Bun.file(join(worktree.path, "src/app.txt")).text();
      expect((await clearOperation(git, own))._unsafeUnwrap()).toEqual([{ name, autostash: null }]);
      expect((await operationInProgress(git, own))._unsafeUnwrap()).toBeNull();
      expect(await Bun.file(join(worktree.path, "src/app.txt")).text()).toBe(before);
      expect(await Bun.file(join(worktree.path, "untracked.txt")).text()).toBe("mine");
      (await pointHeadAt(git, own, worktree.branchName))._unsafeUnwrap();
    });

  for (const name of ["rebase", "merge"] as const)
    test(`such as a ${name} with an autostash does not push into the user's stash list`, async () => {
      await using sandbox = await gitSandbox();
      const { repo, git, worktree, own } = await diverged(sandbox);
      await writeFiles(worktree.path, { "README.md": "not committed" });
      await sandbox.git(worktree.path, [...who, name, "--autostash", "side"]).catch(() => undefined);
      const [ended] = (await clearOperation(git, own))._unsafeUnwrap();
      expect(ended?.name).toBe(name);
      expect(await sandbox.git(repo, ["cat-file", "blob", `${ended?.autostash}:README.md`])).toBe(
        "not committed",
      );
      expect(await sandbox.git(repo, ["stash", "list"])).toBe("");
    });

  test("is none in a quiet worktree", async () => {
    await using sandbox = await gitSandbox();
    const { git, own } = await diverged(sandbox);
    expect((await operationInProgress(git, own))._unsafeUnwrap()).toBeNull();
    expect((await clearOperation(git, own))._unsafeUnwrap()).toEqual([]);
  });
});
