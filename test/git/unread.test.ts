/** Kills git, or closes a place, at the question whose answer decides: no answer is neither yes nor no. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { filledGitlinks } from "../../src/git/index/submodule.ts";
import { resolveBase } from "../../src/git/remote/resolve-base.ts";
import { takeSnapshot } from "../../src/git/snapshot/snapshot.ts";
import { addWorktree } from "../../src/git/worktree/worktree-add.ts";
import { pruneWorktree } from "../../src/git/worktree/worktree-prune.ts";
import { doomedGit } from "../helpers/doomed-git.ts";
import { type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { discovered, madeWorktree, productGit, remoteOf, TEST_TIMEOUT_MS, targetOf } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

/** What kept git from answering; null if it did answer. */
const signalOf = (error: { readonly kind: string; readonly signal?: string | null }) => error.signal ?? null;

async function cloned(sandbox: GitSandbox) {
  const origin = await sandbox.origin("origin.git");
  await sandbox.commitTo(origin, "trunk", { "t.txt": "t" });
  return sandbox.clone(origin, "repo");
}

test("a user's branch at the same commit stays if git is killed while it looks for conflicting branches", async () => {
  await using sandbox = await gitSandbox();
  await using doomed = await doomedGit();
  const repo = await cloned(sandbox);
  await sandbox.git(repo, ["branch", "mine"]);
  const baseSha = await sandbox.git(repo, ["rev-parse", "mine"]);
  const git = productGit(sandbox, { env: { PATH: doomed.path } });
  await doomed.doom("rev-parse --verify --quiet refs/heads/mine", "all");
  const request = { path: join(sandbox.root, "made"), branch: "mine", baseBranch: "main", baseSha };
  const added = await addWorktree(git, targetOf(await discovered(productGit(sandbox), repo)), request);
  expect(added.isErr() && signalOf(added.error)).toBe("SIGKILL");
  expect(await sandbox.git(repo, ["rev-parse", "mine"])).toBe(baseSha);
});

test("if git is killed as it asks for the default branch, a task does not begin at the checked-out one", async () => {
  await using sandbox = await gitSandbox();
  await using doomed = await doomedGit();
  const repo = await cloned(sandbox);
  await sandbox.git(repo, ["checkout", "-q", "trunk"]);
  await sandbox.git(repo, ["remote", "set-head", "origin", "-d"]);
  const git = productGit(sandbox, { env: { PATH: doomed.path } });
  const repository = await discovered(git, repo);
  const question = {
    remote: await remoteOf(git, repository),
    branch: null,
    online: true,
    isOurs: () => false,
  };
  const base = async () => resolveBase(git, targetOf(repository), question);
  await doomed.doom("ls-remote", "all");
  expect((await base()).mapErr(signalOf)._unsafeUnwrapErr()).toBe("SIGKILL");
  await doomed.spare();
  expect((await base())._unsafeUnwrap().branch).toBe("main");
});

test("a registration stays if it is unknown whether its worktree was moved away", async () => {
  await using sandbox = await gitSandbox();
  const git = productGit(sandbox);
  const repo = await cloned(sandbox);
  const { path } = await madeWorktree(sandbox, git, repo);
  const target = targetOf(await discovered(git, repo));
  // Links that lead to each other stand for whatever else can be wrong on the way, for root too.
  const way = join(sandbox.root, "worktrees");
  await Bun.$`mv ${way} ${way}.away`.quiet();
  await symlink("worktrees", way);
  expect(await pruneWorktree(git, target, path).catch((error) => error.code)).toBe("ELOOP");
  expect(await sandbox.git(repo, ["worktree", "list"])).toContain(path);
});

test("a submodule that cannot be read counts as filled: no snapshot has its content", async () => {
  await using sandbox = await gitSandbox();
  const workTree = join(sandbox.root, "tree");
  await mkdir(join(workTree, "empty"), { recursive: true });
  await symlink("shut", join(workTree, "shut"));
  const filled = await filledGitlinks({ gitDir: join(workTree, ".git"), workTree }, [
    "empty",
    "gone",
    "shut",
  ]);
  expect(filled).toEqual(["shut"]);
});

test.each([
  [1, null, "NEW\n"],
  ["all", "SIGKILL", null],
] as const)(
  "if git is killed while it stages a snapshot (%j), no filter is blamed, and the filters stay on",
  async (nth, signal, content) => {
    await using sandbox = await gitSandbox();
    await using doomed = await doomedGit();
    const repo = await cloned(sandbox);
    const made = await madeWorktree(sandbox, productGit(sandbox), repo);
    await sandbox.git(repo, ["config", "filter.up.clean", "tr a-z A-Z"]);
    await writeFiles(made.path, { ".gitattributes": "*.txt filter=up\n", "new.txt": "new\n" });
    const git = productGit(sandbox, { env: { PATH: doomed.path } });
    await doomed.doom("add -A", nth);
    const taken = await takeSnapshot(git, made.target, { attempt: "a1", reason: "test" });
    expect(taken.isErr() ? signalOf(taken.error) : null).toBe(signal);
    const blob = taken.isOk()
      ? await sandbox.git(repo, ["cat-file", "blob", `${taken.value.sha}:new.txt`])
      : null;
    expect(blob === null ? null : `${blob.trim()}\n`).toBe(content);
  },
);
