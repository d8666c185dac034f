import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { discoverRepository } from "../../src/git/repository/discover.ts";
import { createGit } from "../../src/git/runner/run-git.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const PLAIN = {
  bare: false,
  linkedWorktree: false,
  shallow: false,
  partial: false,
  sparse: false,
  hasSubmodules: false,
  objectFormat: "sha1",
  empty: false,
} as const;

describe("a repository is found", () => {
  test("from its top level, a folder in it, its .git, a file, and through a symbolic link", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("my repo");
    await symlink(repo, join(sandbox.root, "link"));
    const git = productGit(sandbox);
    const expected = { ...PLAIN, path: repo, gitDir: join(repo, ".git"), commonDir: join(repo, ".git") };
    for (const path of [
      "my repo",
      "my repo/src",
      "my repo/.git",
      "my repo/.git/refs",
      "my repo/README.md",
      "link",
      "link/src",
    ])
      expect((await discoverRepository(git, join(sandbox.root, path)))._unsafeUnwrap()).toEqual(expected);
  });

  test("whatever GIT_DIR the user's environment has", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const other = await sandbox.repository("other");
    const git = productGit(sandbox, { env: { GIT_DIR: join(other, ".git"), GIT_WORK_TREE: other } });
    expect((await discoverRepository(git, repo))._unsafeUnwrap().path).toBe(repo);
  });

  test("that is bare, also for a user who lets git find none", async () => {
    await using sandbox = await gitSandbox({ globalConfig: "[safe]\n\tbareRepository = explicit\n" });
    const origin = await sandbox.origin("origin.git");
    const found = (await discoverRepository(productGit(sandbox), join(origin, "refs")))._unsafeUnwrap();
    expect(found).toEqual({ ...PLAIN, bare: true, path: origin, gitDir: origin, commonDir: origin });
  });

  test("whose checkout is a linked worktree", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const linked = join(sandbox.root, "linked");
    await sandbox.git(repo, ["worktree", "add", "-q", linked]);
    expect((await discoverRepository(productGit(sandbox), linked))._unsafeUnwrap()).toEqual({
      ...PLAIN,
      path: linked,
      gitDir: join(repo, ".git", "worktrees", "linked"),
      commonDir: join(repo, ".git"),
      linkedWorktree: true,
    });
  });

  test("that is a linked worktree of a bare one", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const linked = join(sandbox.root, "linked");
    await sandbox.git(origin, ["worktree", "add", "-q", linked, "main"]);
    const found = (await discoverRepository(productGit(sandbox), linked))._unsafeUnwrap();
    expect(found).toMatchObject({ path: linked, bare: false, linkedWorktree: true, commonDir: origin });
  });

  test("that is shallow, partial, sparse, has submodules, or uses SHA-256", async () => {
    await using sandbox = await gitSandbox();
    const git = productGit(sandbox);
    const origin = await sandbox.origin("origin.git");
    await sandbox.git(origin, ["config", "uploadpack.allowFilter", "true"]);
    await sandbox.commitTo(origin, "main", { "two.txt": "2" });
    const find = async (path: string) => (await discoverRepository(git, path))._unsafeUnwrap();

    expect((await find(await sandbox.clone(`file://${origin}`, "shallow", ["--depth=1"]))).shallow).toBe(
      true,
    );
    expect(
      (await find(await sandbox.clone(`file://${origin}`, "partial", ["--filter=blob:none"]))).partial,
    ).toBe(true);
    const sparse = await sandbox.clone(origin, "sparse");
    await sandbox.git(sparse, ["sparse-checkout", "set", "src"]);
    expect((await find(sparse)).sparse).toBe(true);
    const withModule = await sandbox.clone(origin, "with-module");
    await sandbox.git(withModule, [
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "add",
      "-q",
      origin,
      "sub",
    ]);
    await sandbox.commit(withModule, {}, "submodule");
    expect((await find(withModule)).hasSubmodules).toBe(true);
    const sha256 = await sandbox.repository("sha256", { objectFormat: "sha256" });
    expect((await find(sha256)).objectFormat).toBe("sha256");
  });

  test("that is empty, and one with an unborn HEAD but remote branches that is not", async () => {
    await using sandbox = await gitSandbox();
    const git = productGit(sandbox);
    const empty = await sandbox.repository("empty", { empty: true });
    expect((await discoverRepository(git, empty))._unsafeUnwrap().empty).toBe(true);
    const origin = await sandbox.origin("origin.git");
    await sandbox.git(empty, ["fetch", "-q", origin, "main:refs/remotes/origin/main"]);
    expect((await discoverRepository(git, empty))._unsafeUnwrap().empty).toBe(false);
  });

  test("at its new place after it was moved", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("before");
    const after = join(sandbox.root, "after");
    await rename(repo, after);
    expect((await discoverRepository(productGit(sandbox), after))._unsafeUnwrap().gitDir).toBe(
      join(after, ".git"),
    );
    expect((await discoverRepository(productGit(sandbox), repo))._unsafeUnwrapErr().kind).toBe(
      "not_a_repository",
    );
  });
});

describe("no repository is found", () => {
  test("if there is none, and if there is nothing at all", async () => {
    await using sandbox = await gitSandbox();
    const plain = join(sandbox.root, "plain");
    await mkdir(plain);
    for (const path of [plain, join(sandbox.root, "nothing")])
      expect((await discoverRepository(productGit(sandbox), path))._unsafeUnwrapErr()).toMatchObject({
        kind: "not_a_repository",
        path,
      });
  });

  test("if git is missing", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = createGit({ binary: "no-such-git", env: sandbox.env, timeoutMs: 1_000, scratch: "/nowhere" });
    expect((await discoverRepository(git, repo))._unsafeUnwrapErr().kind).toBe("git_missing");
  });

  test("if it belongs to another user", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    // Git's own switch for its tests: it then takes every repository for a stranger's.
    const git = productGit(sandbox);
    const strange = {
      ...git,
      discover: (dir: string, args: readonly string[]) =>
        git.discover(dir, args, { extraEnv: { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" } }),
    };
    expect((await discoverRepository(strange, repo))._unsafeUnwrapErr()).toMatchObject({
      kind: "unsafe_ownership",
      path: repo,
    });
  });
});
