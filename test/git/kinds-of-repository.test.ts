import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { fetchRemote, unshallow } from "../../src/git/remote/fetch.ts";
import { remoteHead } from "../../src/git/remote/ls-remote.ts";
import { pull } from "../../src/git/remote/pull.ts";
import { identityVariables, readIdentity } from "../../src/git/repository/identity.ts";
import { addWorktree } from "../../src/git/worktree/worktree-add.ts";
import { repairWorktrees } from "../../src/git/worktree/worktree-prune.ts";
import { fingerprint } from "../helpers/checkout-fingerprint.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import {
  committedEdit,
  discovered,
  madeWorktree,
  productGit,
  pushed,
  remoteOf,
  TEST_TIMEOUT_MS,
  targetOf,
} from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const BRANCH = "tazuna/0a1b2c3d";

/** A whole turn on a repository: worktree, edit, commit, push; the checkout must be what it was. */
async function wholeTurn(
  sandbox: GitSandbox,
  checkout: string,
  options: { readonly base?: string; readonly remote?: string } = {},
) {
  const git = productGit(sandbox);
  const repository = await discovered(git, checkout);
  const before = await fingerprint(repository);
  const worktree = await madeWorktree(sandbox, git, checkout, options);
  const sha = await committedEdit(git, worktree);
  await pushed(git, worktree, options.remote);
  expect(await fingerprint(repository, { branches: [BRANCH] })).toEqual(before);
  const arrived = await remoteHead(git, targetOf(repository), {
    remote: options.remote ?? "origin",
    branch: BRANCH,
  });
  expect(arrived._unsafeUnwrap()).toBe(sha);
  return { git, worktree, sha, repository };
}

describe("a whole turn leaves the user's checkout byte for byte as it was", () => {
  test("in a clone with uncommitted changes, a stash, and a merge half done (promise 3.2)", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo");
    await Bun.write(join(repo, "README.md"), "stashed\n");
    await sandbox.git(repo, ["stash"]);
    await sandbox.git(repo, ["checkout", "-q", "-b", "side"]);
    await sandbox.commit(repo, { "README.md": "side\n" });
    await sandbox.git(repo, ["checkout", "-q", "main"]);
    await sandbox.commit(repo, { "README.md": "main\n" });
    await sandbox.git(repo, ["merge", "side"]).catch(() => undefined);
    await Bun.write(join(repo, "untracked.txt"), "mine\n");
    await sandbox.git(repo, ["fetch", "-q"]);
    await wholeTurn(sandbox, repo);
  });

  test("in a clone whose remote is not called origin", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("upstream.git");
    const repo = await sandbox.clone(origin, "repo", ["--origin", "upstream"]);
    const { git, repository } = await wholeTurn(sandbox, repo, { remote: "upstream" });
    expect((await remoteOf(git, repository))?.name).toBe("upstream");
  });

  test("in a clone that fetches from upstream and pushes to a fork", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const fork = await sandbox.clone(origin, "fork.git", ["--bare"]);
    const repo = await sandbox.clone(origin, "repo");
    await sandbox.git(repo, ["remote", "add", "fork", fork]);
    const base = await sandbox.commitTo(origin, "main", { "new.txt": "from upstream" });
    const { worktree } = await wholeTurn(sandbox, repo, { remote: "fork" });
    expect(worktree.headSha).toBe(base);
    expect(await sandbox.git(origin, ["branch", "--list", BRANCH])).toBe("");
  });

  test("in a shallow clone", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    for (const n of [1, 2, 3]) await sandbox.commitTo(origin, "main", { "n.txt": String(n) });
    const repo = await sandbox.clone(`file://${origin}`, "repo", ["--depth=1"]);
    const { repository } = await wholeTurn(sandbox, repo);
    expect(repository.shallow).toBe(true);
  });

  test("in a single-branch clone, from another branch", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const sha = await sandbox.commitTo(origin, "feature", { "f.txt": "f" });
    const repo = await sandbox.clone(`file://${origin}`, "repo", ["--single-branch"]);
    const { worktree } = await wholeTurn(sandbox, repo, { base: "feature" });
    expect(worktree.headSha).toBe(sha);
  });

  test("in a partial clone, which fetches what the checkout needs", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    await sandbox.git(origin, ["config", "uploadpack.allowFilter", "true"]);
    const repo = await sandbox.clone(`file://${origin}`, "repo", ["--filter=blob:none", "--no-checkout"]);
    await sandbox.git(repo, ["reset", "-q"]).catch(() => undefined);
    await sandbox.commitTo(origin, "main", { "late.txt": "only on the remote\n" });
    const { worktree, repository } = await wholeTurn(sandbox, repo);
    expect(repository.partial).toBe(true);
    expect(await Bun.file(join(worktree.path, "late.txt")).text()).toBe("only on the remote\n");
  });

  test("in a sparse checkout, whose patterns the worktree inherits", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    await sandbox.commitTo(origin, "main", { "other/big.txt": "big", "src/more.txt": "more" });
    const repo = await sandbox.clone(origin, "repo");
    await sandbox.git(repo, ["sparse-checkout", "set", "src"]);
    const { worktree, sha } = await wholeTurn(sandbox, repo);
    expect(await Bun.file(join(worktree.path, "src/more.txt")).exists()).toBe(true);
    expect(await Bun.file(join(worktree.path, "other/big.txt")).exists()).toBe(false);
    expect(await sandbox.git(repo, ["ls-tree", "-r", "--name-only", sha])).toContain("other/big.txt");
  });

  test("in a linked worktree, which is the user's checkout", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo");
    const linked = join(sandbox.root, "linked");
    await sandbox.git(repo, ["worktree", "add", "-q", "-b", "mine", linked]);
    const before = await fingerprint({ path: repo, gitDir: join(repo, ".git") });
    const { repository } = await wholeTurn(sandbox, linked);
    expect(repository.linkedWorktree).toBe(true);
    expect(await fingerprint({ path: repo, gitDir: join(repo, ".git") }, { branches: [BRANCH] })).toEqual(
      before,
    );
  });

  test("in a bare repository, and in a mirror, whose own branches a fetch must not prune", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    await wholeTurn(sandbox, await sandbox.clone(origin, "bare.git", ["--bare"]));
    await sandbox.git(origin, ["branch", "-D", BRANCH]);
    const mirror = await sandbox.clone(origin, "mirror.git", ["--mirror"]);
    await sandbox.git(mirror, ["branch", "only-here"]);
    await Bun.$`rm -rf ${join(sandbox.root, "worktrees")}`;
    const base = await sandbox.commitTo(origin, "main", { "new.txt": "new" });
    const { git, worktree, repository, sha } = await wholeTurn(sandbox, mirror);
    expect(worktree.headSha).toBe(base);
    const remote = await remoteOf(git, repository);
    if (remote === null) throw new Error("the mirror has a remote");
    await sandbox.git(origin, ["branch", "-D", BRANCH]);
    (await fetchRemote(git, targetOf(repository), remote))._unsafeUnwrap();
    expect(await sandbox.git(mirror, ["rev-parse", BRANCH])).toBe(sha);
    expect(await sandbox.git(mirror, ["branch", "--list", "only-here"])).not.toBe("");
  });

  test("in a submodule of another repository, and in one whose git directory lies elsewhere", async () => {
    await using sandbox = await gitSandbox({ globalConfig: '[protocol "file"]\n\tallow = always\n' });
    const origin = await sandbox.origin("origin.git");
    const outer = await sandbox.repository("outer");
    await sandbox.git(outer, ["submodule", "add", "-q", origin, "inner"]);
    const { repository } = await wholeTurn(sandbox, join(outer, "inner"));
    expect(repository.gitDir).toBe(join(outer, ".git", "modules", "inner"));
    await sandbox.git(origin, ["branch", "-D", BRANCH]);
    await Bun.$`rm -rf ${join(sandbox.root, "worktrees")}`;
    const apart = await sandbox.clone(origin, "apart", [
      "--separate-git-dir",
      join(sandbox.root, "apart.git"),
    ]);
    const { repository: second } = await wholeTurn(sandbox, apart);
    expect(second).toMatchObject({
      path: apart,
      gitDir: join(sandbox.root, "apart.git"),
      linkedWorktree: false,
    });
  });

  test("in a repository with SHA-256 ids", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git", { objectFormat: "sha256" });
    const repo = await sandbox.clone(origin, "repo");
    const { sha } = await wholeTurn(sandbox, repo);
    expect(sha).toHaveLength(64);
  });

  test("with hostile names: spaces, quotes and unicode in the path of the repository and in file names", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, 'it\'s a "répo" 手綱');
    await wholeTurn(sandbox, repo);
  });

  test("without a remote, up to the commit", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox);
    const repository = await discovered(git, repo);
    const before = await fingerprint(repository);
    const worktree = await madeWorktree(sandbox, git, repo);
    const sha = await committedEdit(git, worktree);
    expect(await fingerprint(repository)).toEqual(before);
    expect(await sandbox.git(repo, ["rev-parse", BRANCH])).toBe(sha);
  });
});

describe("kinds of repository that need more", () => {
  test("a branch called tazuna is in the way of tazuna/x, and is named", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.git(repo, ["branch", "tazuna"]);
    const git = productGit(sandbox);
    const path = join(sandbox.root, "worktrees", "run_1");
    const sha = await sandbox.git(repo, ["rev-parse", "HEAD"]);
    const added = await addWorktree(git, targetOf(await discovered(git, repo)), {
      path,
      branch: BRANCH,
      baseBranch: "main",
      baseSha: sha,
    });
    expect(added._unsafeUnwrapErr()).toMatchObject({
      kind: "branch_name_blocked",
      branch: BRANCH,
      blockedBy: "tazuna",
    });
    expect(await Bun.file(join(path, ".git")).exists()).toBe(false);
  });

  test("a shallow clone without the common commit is deepened once, and then merges", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    for (const n of [1, 2, 3]) await sandbox.commitTo(origin, "main", { "n.txt": String(n) });
    const repo = await sandbox.clone(`file://${origin}`, "repo", ["--depth=1"]);
    const git = productGit(sandbox);
    const worktree = await madeWorktree(sandbox, git, repo);
    await committedEdit(git, worktree);
    const old = await sandbox.git(origin, ["rev-parse", "main~2"]);
    await sandbox.git(origin, ["branch", BRANCH, old]);
    await sandbox.commitTo(origin, BRANCH, { "theirs.txt": "theirs" });
    const identity = (await readIdentity(git, worktree.target))._unsafeUnwrap();
    const pulling = { remote: "origin", branch: BRANCH, identity, sign: "inherit" } as const;
    expect((await pull(git, worktree.target, pulling))._unsafeUnwrapErr().kind).toBe("unrelated_histories");
    const remote = await remoteOf(git, await discovered(git, repo));
    if (remote === null) throw new Error("the clone has a remote");
    (await unshallow(git, worktree.target, { remote, branch: BRANCH }))._unsafeUnwrap();
    (await pull(git, worktree.target, pulling))._unsafeUnwrap();
    expect(await Bun.file(join(worktree.path, "theirs.txt")).text()).toBe("theirs");
    (await unshallow(git, worktree.target, { remote, branch: BRANCH }))._unsafeUnwrap();
  });

  test("a repository that moved finds its worktrees again, and they find it", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "before");
    const git = productGit(sandbox);
    const worktree = await madeWorktree(sandbox, git, repo);
    const after = join(sandbox.root, "after");
    await rename(repo, after);
    const moved = await discovered(git, after);
    (await repairWorktrees(git, targetOf(moved), [worktree.path]))._unsafeUnwrap();
    const gitDir = worktree.gitDir.replace(repo, after);
    const target = { gitDir, workTree: worktree.path };
    const sha = await committedEdit(git, { ...worktree, gitDir, target });
    expect(await sandbox.git(worktree.path, ["rev-parse", "HEAD"])).toBe(sha);
  });

  test("a user without any identity commits as Tazuna", async () => {
    await using sandbox = await gitSandbox({ identity: "none" });
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox);
    const worktree = await madeWorktree(sandbox, git, repo);
    const identity = (await readIdentity(git, worktree.target))._unsafeUnwrap();
    expect(identity.source).toBe("fallback");
    expect(Object.keys(identityVariables(identity))).toHaveLength(4);
    const sha = await committedEdit(git, worktree);
    expect(await sandbox.git(repo, ["log", "-1", "--format=%an <%ae> %cn <%ce>", sha])).toBe(
      "Tazuna <tazuna@localhost> Tazuna <tazuna@localhost>",
    );
  });
});
