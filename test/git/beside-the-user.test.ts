import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { fetchRemote } from "../../src/git/remote/fetch.ts";
import { resolveBase } from "../../src/git/remote/resolve-base.ts";
import { createRepositoryLock } from "../../src/git/runner/repository-lock.ts";
import { takeSnapshot } from "../../src/git/snapshot/snapshot.ts";
import { addWorktree, checkoutWorktree } from "../../src/git/worktree/worktree-add.ts";
import { gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { usersGit } from "../helpers/users-git.ts";
import {
  committedEdit,
  discovered,
  productGit,
  pushTip,
  remoteOf,
  TEST_TIMEOUT_MS,
  targetOf,
} from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

test("runs go through while the user commits, fetches, stashes and switches branches in the same repository (promise 3.2)", async () => {
  await using sandbox = await gitSandbox();
  const origin = await sandbox.origin("origin.git");
  const repo = await sandbox.clone(origin, "repo");
  const git = productGit(sandbox);
  const repository = await discovered(git, repo);
  const target = targetOf(repository);
  const remote = await remoteOf(git, repository);
  if (remote === null) throw new Error("the clone has a remote");
  const lock = createRepositoryLock();
  const { commonDir } = repository;
  const usersOwn = usersGit(sandbox, repo);
  let running = true;
  const mishaps: string[] = [];

  const user = async () => {
    for (let n = 1; running; n++) {
      const acts: readonly (readonly string[])[] = [
        ["fetch", "-q", "--prune"],
        ["checkout", "-q", "-B", `mine/${n % 3}`],
        ["commit", "-q", "--allow-empty", "-m", `mine ${n}`],
        ["stash", "push", "-q", "--include-untracked"],
        ["stash", "pop", "-q"],
        ["branch", "--list"],
      ];
      await writeFiles(repo, { "mine.txt": `mine ${n}\n` });
      for (const act of acts) await usersOwn(...act).catch((error: Error) => mishaps.push(error.message));
    }
  };

  const run = async (n: number) => {
    const fetch = () => fetchRemote(git, target, remote);
    (await lock.fetchOnce(commonDir, { key: remote.name, fetch }))._unsafeUnwrap();
    const question = { remote, branch: "main", online: true, isOurs: () => false };
    const base = (await resolveBase(git, target, question))._unsafeUnwrap();
    const wanted = {
      path: join(sandbox.root, "worktrees", `run_${n}`),
      branch: `tazuna/run${n}`,
      baseBranch: "main",
      baseSha: base.sha,
    };
    const made = (await lock.shared(commonDir, () => addWorktree(git, target, wanted)))._unsafeUnwrap();
    const own = { gitDir: made.gitDir, workTree: made.path };
    (await checkoutWorktree(git, own))._unsafeUnwrap();
    const sha = await committedEdit(git, { ...made, target: own }, { [`file${n}.txt`]: `run ${n}` });
    (await takeSnapshot(git, own, { attempt: `a${n}`, reason: "test" }))._unsafeUnwrap();
    const request = { remote: "origin", branch: wanted.branch, upstream: "set" as const };
    expect((await lock.pushing(commonDir, () => pushTip(git, own, request)))._unsafeUnwrap().success).toBe(
      true,
    );
    return sha;
  };

  const busy = user();
  const shas: string[] = [];
  try {
    for (let round = 0; round < 3; round++)
      shas.push(...(await Promise.all([1, 2, 3, 4].map((n) => run(round * 4 + n)))));
  } finally {
    running = false;
    await busy;
  }
  const arrived = await sandbox.git(origin, ["for-each-ref", "--format=%(objectname)", "refs/heads/tazuna"]);
  expect(arrived.split("\n").sort()).toEqual([...shas].sort());
  expect(mishaps).toEqual([]);
  expect(await Bun.file(join(repo, "mine.txt")).exists()).toBe(true);
});
