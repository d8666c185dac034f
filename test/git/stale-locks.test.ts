import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rename, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stageAll } from "../../src/git/index/stage.ts";
import { commit } from "../../src/git/refs/commit.ts";
import { keepRunTree } from "../../src/git/refs/run-trees.ts";
import { readIdentity } from "../../src/git/repository/identity.ts";
import { locksBelow, ownLocks, removeStaleLocks } from "../../src/git/worktree/stale-locks.ts";
import { gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { madeWorktree, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

test("locks that a killed git left to the attempt go, however old; newer, shared and held ones stay", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  const git = productGit(sandbox);
  const { target, gitDir, branchName: branch } = await madeWorktree(sandbox, git, repo);
  const commonDir = join(repo, ".git");
  const ofWorktree = ["index", "HEAD", "ORIG_HEAD", "config.worktree"].map((name) =>
    join(gitDir, `${name}.lock`),
  );
  const ofBranch = join(commonDir, "refs", "heads", `${branch}.lock`);
  const shared = [
    join(commonDir, "index.lock"),
    join(commonDir, "config.lock"),
    join(commonDir, "packed-refs.lock"),
  ];
  for (const lock of [...ofWorktree, ofBranch, ...shared]) {
    await mkdir(dirname(lock), { recursive: true });
    await writeFile(lock, "");
  }
  const own = await ownLocks({ gitDir, commonDir, branch });
  expect([...own].sort()).toEqual([...ofWorktree, ofBranch].sort());
  const stale = { places: own, isHeld: async () => false };
  expect(await removeStaleLocks({ ...stale, isHeld: async () => true })).toEqual([]);
  const [index = "", ...others] = own;
  // A process that releases and locks it again has a new file.
  const takenAgain = async () => {
    await rename(index, `${index}.old`);
    await writeFile(index, "");
    return false;
  };
  expect(await removeStaleLocks({ ...stale, isHeld: takenAgain })).toEqual(others);
  const tomorrow = new Date(Date.now() + 86_400_000);
  await utimes(index, tomorrow, tomorrow);
  expect(await removeStaleLocks(stale)).toEqual([index]);
  for (const lock of shared) expect(await Bun.file(lock).exists()).toBe(true);
  await writeFiles(target.workTree, { "new.txt": "new" });
  (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
  const identity = (await readIdentity(git, target))._unsafeUnwrap();
  const made = await commit(git, target, {
    branch,
    message: "Go on",
    identity,
    sign: "off",
    hooks: { mode: "off" },
  });
  expect(made.isOk()).toBe(true);
});

test("a killed git's lock on a tree of a run is found, and stops the run until it is gone", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  const git = productGit(sandbox);
  const commonDir = join(repo, ".git");
  const target = { gitDir: commonDir, workTree: null };
  const tree = await sandbox.git(repo, ["rev-parse", "HEAD^{tree}"]);
  const kept = { run: "run-1", side: "after", tree } as const;
  (await keepRunTree(git, target, kept))._unsafeUnwrap();
  const lock = join(commonDir, "refs/tazuna/runs/run-1/after.lock");
  await writeFile(lock, "");
  const empty = await sandbox.git(repo, ["hash-object", "-t", "tree", "-w", "/dev/null"]);
  const moved = sandbox.git(repo, ["update-ref", "refs/tazuna/runs/run-1/after", empty]);
  expect(await moved.catch(String)).toContain("after.lock");
  const places = await locksBelow(commonDir, "refs/tazuna/runs/run-1");
  expect(await removeStaleLocks({ places, isHeld: async () => false })).toEqual([lock]);
  expect((await keepRunTree(git, target, { ...kept, tree: empty })).isOk()).toBe(true);
});
