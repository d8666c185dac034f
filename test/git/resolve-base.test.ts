import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { fetchRemote } from "../../src/git/remote/fetch.ts";
import type { BaseQuestion } from "../../src/git/remote/named-base.ts";
import { resolveBase } from "../../src/git/remote/resolve-base.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { discovered, productGit, remoteOf, TEST_TIMEOUT_MS, targetOf } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

/** The base after a fetch, as a run asks for it. */
async function baseOf(sandbox: GitSandbox, path: string, question: Partial<BaseQuestion> = {}) {
  const git = productGit(sandbox);
  const repository = await discovered(git, path);
  const remote = await remoteOf(git, repository);
  if (remote !== null && question.online !== false)
    (await fetchRemote(git, targetOf(repository), remote))._unsafeUnwrap();
  return resolveBase(git, targetOf(repository), {
    remote,
    branch: null,
    online: true,
    isOurs: (name) => name.startsWith("tazuna/"),
    ...question,
  });
}

describe("the base", () => {
  test("seed 003 Whole workflow: the base is the remote's branch as it is now, not as the checkout has it", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo");
    const sha = await sandbox.commitTo(origin, "main", { "later.txt": "later" });
    const expected = { branch: "main", sha, ref: "refs/remotes/origin/main" };
    expect((await baseOf(sandbox, repo))._unsafeUnwrap()).toEqual(expected);
    expect((await baseOf(sandbox, repo, { branch: "main" }))._unsafeUnwrap()).toEqual(expected);
  });

  test("is what the last fetch left when the remote may not be asked", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo");
    const known = await sandbox.git(repo, ["rev-parse", "origin/main"]);
    await sandbox.commitTo(origin, "main", { "later.txt": "later" });
    expect((await baseOf(sandbox, repo, { online: false }))._unsafeUnwrap().sha).toBe(known);
  });

  test("without any remote is the local branch", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const sha = await sandbox.git(repo, ["rev-parse", "HEAD"]);
    expect((await baseOf(sandbox, repo))._unsafeUnwrap()).toEqual({
      branch: "main",
      sha,
      ref: "refs/heads/main",
    });
  });

  test("is not fooled by a local branch that is called origin/main", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo");
    await sandbox.git(repo, ["branch", "origin/main"]);
    const sha = await sandbox.commitTo(origin, "main", { "later.txt": "later" });
    expect((await baseOf(sandbox, repo, { branch: "main" }))._unsafeUnwrap().sha).toBe(sha);
  });

  test("seed 003 Whole workflow: if no base is asked for, the base is what the remote calls its default", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    await sandbox.commitTo(origin, "trunk", { "t.txt": "t" });
    const repo = await sandbox.clone(origin, "repo");
    await sandbox.git(repo, ["checkout", "-q", "-b", "mine"]);
    await sandbox.git(origin, ["symbolic-ref", "HEAD", "refs/heads/trunk"]);
    await sandbox.git(repo, ["remote", "set-head", "origin", "--delete"]);
    expect((await baseOf(sandbox, repo))._unsafeUnwrap().branch).toBe("trunk");
    await sandbox.git(repo, ["checkout", "-q", "--detach"]);
    expect((await baseOf(sandbox, repo))._unsafeUnwrap().branch).toBe("trunk");
    await sandbox.git(repo, ["remote", "set-head", "origin", "main"]);
    expect((await baseOf(sandbox, repo))._unsafeUnwrap().branch).toBe("main");
  });

  test("is the branch that is checked out if the remote names no default", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git", { empty: true });
    const repo = await sandbox.repository("repo");
    await sandbox.git(repo, ["remote", "add", "origin", origin]);
    const sha = await sandbox.git(repo, ["rev-parse", "HEAD"]);
    expect((await baseOf(sandbox, repo))._unsafeUnwrap()).toEqual({
      branch: "main",
      sha,
      ref: "refs/heads/main",
    });
    expect((await baseOf(sandbox, repo, { branch: "main" }))._unsafeUnwrap().sha).toBe(sha);
  });

  test("is the checked out branch when the stored default is gone from the remote", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo");
    const sha = await sandbox.commitTo(origin, "trunk", { "t.txt": "t" });
    await sandbox.git(origin, ["symbolic-ref", "HEAD", "refs/heads/gone"]);
    await sandbox.git(origin, ["branch", "-D", "main"]);
    await sandbox.git(repo, ["fetch", "-q"]);
    await sandbox.git(repo, ["checkout", "-q", "trunk"]);
    expect((await baseOf(sandbox, repo))._unsafeUnwrap()).toMatchObject({ branch: "trunk", sha });
  });

  test("of a single-branch clone may be another branch, and is new every time", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const first = await sandbox.commitTo(origin, "feature", { "f.txt": "1" });
    const repo = await sandbox.clone(`file://${origin}`, "repo", ["--single-branch"]);
    expect((await baseOf(sandbox, repo, { branch: "feature" }))._unsafeUnwrap().sha).toBe(first);
    const second = await sandbox.commitTo(origin, "feature", { "f.txt": "2" });
    expect((await baseOf(sandbox, repo, { branch: "feature" }))._unsafeUnwrap().sha).toBe(second);
  });

  test("of a bare clone, which has no remote-tracking references, is the remote's", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const bare = await sandbox.clone(origin, "bare.git", ["--bare"]);
    const sha = await sandbox.commitTo(origin, "main", { "later.txt": "later" });
    expect((await baseOf(sandbox, bare))._unsafeUnwrap()).toEqual({
      branch: "main",
      sha,
      ref: "refs/remotes/origin/main",
    });
  });
});

describe("no base", () => {
  test("is there in an empty repository, with or without an empty remote", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo", { empty: true });
    expect((await baseOf(sandbox, repo))._unsafeUnwrapErr().kind).toBe("empty_repository");
    const origin = await sandbox.origin("origin.git", { empty: true });
    const clone = await sandbox.clone(origin, "clone");
    expect((await baseOf(sandbox, clone))._unsafeUnwrapErr().kind).toBe("empty_repository");
    expect((await baseOf(sandbox, clone, { branch: "main" }))._unsafeUnwrapErr().kind).toBe(
      "empty_repository",
    );
  });

  test("is found under a mistyped name or after the branch was deleted; similar names are told", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    await sandbox.commitTo(origin, "feature/login", { "f.txt": "1" });
    const repo = await sandbox.clone(origin, "repo");
    await sandbox.git(repo, ["branch", "feature/login", "origin/feature/login"]);
    expect((await baseOf(sandbox, repo, { branch: "feature/logn" }))._unsafeUnwrapErr()).toMatchObject({
      kind: "base_missing",
      branch: "feature/logn",
      nearest: ["feature/login", "main"],
    });
    await sandbox.git(origin, ["branch", "-D", "feature/login"]);
    expect((await baseOf(sandbox, repo, { branch: "feature/login" }))._unsafeUnwrapErr()).toMatchObject({
      kind: "base_missing",
      branch: "feature/login",
      nearest: ["main"],
      message:
        "the branch feature/login is gone from origin; `--base refs/heads/feature/login` starts from the local one",
    });
    const local = (await baseOf(sandbox, repo, { branch: "refs/heads/feature/login" }))._unsafeUnwrap();
    expect(local.sha).toBe(await sandbox.git(repo, ["rev-parse", "feature/login"]));
  });

  test("that is missing is never looked for among our own branches, unless one of them was asked for", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    for (const name of ["tazuna/aaaa1111", "tazuna/aaaa2222"]) await sandbox.git(repo, ["branch", name]);
    const nearest = async (branch: string | null) => {
      const error = (await baseOf(sandbox, repo, { branch }))._unsafeUnwrapErr();
      return error.kind === "base_missing" ? error.nearest : error;
    };
    expect(await nearest("tazuna")).toEqual(["main"]);
    expect(await nearest("tazuna/aaaa1112")).toEqual(["tazuna/aaaa1111", "tazuna/aaaa2222", "main"]);
    await sandbox.git(repo, ["checkout", "-q", "--detach"]);
    expect(await nearest(null)).toEqual(["main"]);
  });

  test("is found on a detached HEAD without a remote", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.git(repo, ["checkout", "-q", "--detach"]);
    expect((await baseOf(sandbox, repo))._unsafeUnwrapErr()).toMatchObject({
      kind: "base_missing",
      branch: null,
      nearest: ["main"],
    });
  });

  test("may be named as a local branch, a remote branch, a tag or a commit, the remote's branch first", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo");
    const main = await sandbox.git(repo, ["rev-parse", "HEAD"]);
    await sandbox.git(repo, ["tag", "-a", "-m", "x", "v1"]);
    await sandbox.git(repo, ["checkout", "-q", "-b", "mine"]);
    await sandbox.git(repo, ["commit", "-q", "--allow-empty", "-m", "mine"]);
    const mine = await sandbox.git(repo, ["rev-parse", "HEAD"]);
    await sandbox.git(repo, ["branch", "-f", "main", mine]);
    const base = async (branch: string) => (await baseOf(sandbox, repo, { branch }))._unsafeUnwrap();
    const remote = { branch: "main", sha: main, ref: "refs/remotes/origin/main" };
    expect(await base("main")).toEqual(remote);
    expect(await base("origin/main")).toEqual(remote);
    expect(await base("refs/heads/main")).toEqual({ branch: null, sha: mine, ref: "refs/heads/main" });
    expect(await base("mine")).toEqual({ branch: "mine", sha: mine, ref: "refs/heads/mine" });
    expect(await base("v1")).toEqual({ branch: null, sha: main, ref: "refs/tags/v1" });
    expect(await base(mine.slice(0, 9))).toEqual({ branch: null, sha: mine, ref: mine.slice(0, 9) });
    expect(await base("HEAD~1")).toEqual({ branch: null, sha: main, ref: "HEAD~1" });
  });

  test("that is no commit is refused with the reason, and an option is no name", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo", ["--single-branch"]);
    const why = async (branch: string) =>
      (await baseOf(sandbox, repo, { branch }))._unsafeUnwrapErr().message;
    expect(await why("HEAD^{tree}")).toBe("the base HEAD^{tree} is a tree, not a commit");
    for (const name of ["nosuch", "--all", "-h", "origin/nosuch", "a b", "main..other", "deadbeef"])
      expect(await why(name)).toBe(
        `there is no branch, tag or commit called ${name} in this repository or on origin`,
      );
  });

  test("that is missing could be made as a branch only if its name is valid and there is a commit", async () => {
    await using sandbox = await gitSandbox();
    const origin = await sandbox.origin("origin.git");
    const repo = await sandbox.clone(origin, "repo");
    await sandbox.git(repo, ["tag", "-a", "-m", "x", "tree", "HEAD^{tree}"]);
    const makeable = async (branch: string) => {
      const error = (await baseOf(sandbox, repo, { branch }))._unsafeUnwrapErr();
      return error.kind === "base_missing" ? error.makeable : error;
    };
    for (const name of ["release/2", "origin/release/2", "refs/heads/release/2"])
      expect(await makeable(name)).toBe("release/2");
    for (const name of ["HEAD~9", "main^{tree}", "main@{9}", ":/words", "deadbeef", "refs/tags/v9", "tree"])
      expect(await makeable(name)).toBeNull();
    await sandbox.git(repo, ["checkout", "-q", "--orphan", "fresh"]);
    expect(await makeable("release/2")).toBeNull();
  });

  test("that is the branch which is checked out, but has no commit, is reported as that", async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await sandbox.git(repo, ["checkout", "-q", "--orphan", "fresh"]);
    expect((await baseOf(sandbox, repo))._unsafeUnwrapErr()).toMatchObject({
      nearest: ["main"],
      makeable: null,
      message: "the branch fresh, which is checked out, has no commit yet",
    });
  });
});
