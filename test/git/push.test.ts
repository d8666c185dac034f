import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unmergedPaths } from "../../src/git/index/unmerged.ts";
import { readHead } from "../../src/git/refs/refs.ts";
import { isAncestor, isBehindRemote } from "../../src/git/refs/rev-list.ts";
import { fetchBranch, fetchRemote } from "../../src/git/remote/fetch.ts";
import { remoteHead, symrefHead } from "../../src/git/remote/ls-remote.ts";
import { abortMerge, merge, mergeInProgress, pull } from "../../src/git/remote/pull.ts";
import { push } from "../../src/git/remote/push.ts";
import { readIdentity } from "../../src/git/repository/identity.ts";
import { createGit } from "../../src/git/runner/run-git.ts";
import { fingerprint } from "../helpers/checkout-fingerprint.ts";
import { type Files, type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { tally } from "../helpers/tally.ts";
import { deep } from "../helpers/tier.ts";
import {
  committedEdit,
  discovered,
  madeWorktree,
  productGit,
  pushTip,
  remoteOf,
  TEST_TIMEOUT_MS,
  type TipRequest,
  targetOf,
} from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const BRANCH = "tazuna/0a1b2c3d";
const FIRST: TipRequest = { remote: "origin", branch: BRANCH, upstream: "set" };
const LATER: TipRequest = { ...FIRST, upstream: "keep" };

async function ready(sandbox: GitSandbox) {
  const origin = await sandbox.origin("origin.git");
  const repo = await sandbox.clone(origin, "repo");
  const git = productGit(sandbox);
  const worktree = await madeWorktree(sandbox, git, repo);
  const identity = (await readIdentity(git, worktree.target))._unsafeUnwrap();
  const remote = await remoteOf(git, await discovered(git, repo));
  if (remote === null) throw new Error("the clone has a remote");
  const pulling = { remote: "origin", branch: BRANCH, identity, sign: "inherit" } as const;
  return { origin, repo, git, worktree, target: worktree.target, remote, pulling };
}

async function hook(bare: string, name: string, script: string): Promise<void> {
  await writeFile(join(bare, "hooks", name), `#!/bin/sh\n${script}\n`);
  await chmod(join(bare, "hooks", name), 0o755);
}

/** The next fetch finds the references as they are, then a fetch of the user's overtakes it. Its mark is returned. */
async function usersFetchInTheMiddle(sandbox: GitSandbox, repo: string): Promise<string> {
  const mark = join(sandbox.root, "met");
  const script = join(sandbox.root, "in-the-middle.sh");
  await writeFile(
    script,
    `#!/bin/sh
if mkdir '${mark}.once' 2>/dev/null; then
  (unset $(git rev-parse --local-env-vars); git -C '${repo}' fetch --quiet origin && touch '${mark}') </dev/null >/dev/null
fi
exec "$@"
`,
    { mode: 0o755 },
  );
  await sandbox.git(repo, ["config", "--global", "uploadpack.packObjectsHook", script]);
  return mark;
}

/** Commits of another person on our branch. */
async function theirs(sandbox: GitSandbox, origin: string, files: Files): Promise<string> {
  return sandbox.commitTo(origin, BRANCH, files);
}

describe("a push", () => {
  test("seed 003 Phase 3, Push with retry and GitService: `git push` arrives, sets the upstream once, and answers PushResult with success (departs: the upstream with the first push only)", async () => {
    await using sandbox = await gitSandbox();
    const { origin, repo, git, worktree, target } = await ready(sandbox);
    const sha = await committedEdit(git, worktree);
    const success = {
      success: true,
      requiredPull: false,
      error: null,
      upToDate: false,
      upstreamWritten: true,
    } as const;
    expect((await pushTip(git, target, FIRST))._unsafeUnwrap()).toEqual(success);
    expect(await sandbox.git(origin, ["rev-parse", BRANCH])).toBe(sha);
    expect(await sandbox.git(repo, ["config", `branch.${BRANCH}.merge`])).toBe(`refs/heads/${BRANCH}`);
    const config = await Bun.file(join(repo, ".git", "config")).text();
    const next = await committedEdit(git, worktree, { "second.txt": "2" });
    expect((await pushTip(git, target, LATER))._unsafeUnwrap()).toEqual(success);
    expect((await pushTip(git, target, LATER))._unsafeUnwrap()).toEqual({ ...success, upToDate: true });
    expect(await sandbox.git(origin, ["rev-parse", BRANCH])).toBe(next);
    expect(await Bun.file(join(repo, ".git", "config")).text()).toBe(config);
  });

  test.each([
    ["moved on", ["update-ref", `refs/heads/${BRANCH}`, "LATER"]],
    ["gone", ["update-ref", "-d", `refs/heads/${BRANCH}`]],
    ["another name of a branch of the user's", ["symbolic-ref", `refs/heads/${BRANCH}`, "refs/heads/other"]],
  ])(
    "seed 003 Phase 3 and GitService: a push takes the named commit, whatever became of the branch: %s (departs: by its id)",
    async (what, act) => {
      await using sandbox = await gitSandbox();
      const { origin, repo, git, worktree, target } = await ready(sandbox);
      const sha = await committedEdit(git, worktree);
      const later = await committedEdit(git, worktree, { "later.txt": "later" });
      await sandbox.git(repo, ["branch", "other", later]);
      await sandbox.git(
        repo,
        act.map((word) => (word === "LATER" ? later : word)),
      );
      const result = (await push(git, target, { ...FIRST, sha }))._unsafeUnwrap();
      expect(result).toMatchObject({ success: true, upstreamWritten: true });
      expect(await sandbox.git(origin, ["for-each-ref", "--format=%(refname) %(objectname)"])).not.toContain(
        later,
      );
      expect(await sandbox.git(origin, ["rev-parse", BRANCH])).toBe(sha);
      const upstream = await sandbox.git(repo, ["config", "--get-regexp", `^branch\\.${BRANCH}\\.`]);
      expect(upstream).toBe(`branch.${BRANCH}.remote origin\nbranch.${BRANCH}.merge refs/heads/${BRANCH}`);
      tally("attack", `a branch that is ${what} as it is pushed`);
    },
  );

  test.each([
    ["always", "true"],
    ["remote", "true"],
    ["local", ""],
  ])("writes what `-u` would if branch.autoSetupRebase is %s", async (value, rebase) => {
    await using sandbox = await gitSandbox();
    const { repo, git, worktree, target } = await ready(sandbox);
    await sandbox.git(repo, ["config", "branch.autoSetupRebase", value]);
    await committedEdit(git, worktree);
    expect((await pushTip(git, target, FIRST))._unsafeUnwrap().success).toBe(true);
    expect(await sandbox.git(repo, ["config", "--default", "", `branch.${BRANCH}.rebase`])).toBe(rebase);
  });

  test.each([
    ["a mirror", ["+refs/*:refs/*"], null],
    ["a clone of one branch", ["+refs/heads/main:refs/remotes/origin/main"], null],
    ["a remote without a place here", [], null],
    ["two remotes with one place", ["+refs/heads/*:refs/remotes/origin/*"], "two"],
  ] as const)("names the remote's branch in %s", async (_, refspecs, other) => {
    await using sandbox = await gitSandbox();
    const { repo, git, worktree, target } = await ready(sandbox);
    const set = (...words: readonly string[]) => sandbox.git(repo, ["config", ...words]);
    await set("--unset-all", "remote.origin.fetch");
    for (const refspec of refspecs) await set("--add", "remote.origin.fetch", refspec);
    if (other !== null) await set(`remote.${other}.fetch`, refspecs[0] ?? "");
    await committedEdit(git, worktree);
    expect((await pushTip(git, target, FIRST))._unsafeUnwrap()).toMatchObject({ upstreamWritten: true });
    const upstream = await set("--get-regexp", `^branch\\.${BRANCH}\\.`);
    expect(upstream).toBe(`branch.${BRANCH}.remote origin\nbranch.${BRANCH}.merge refs/heads/${BRANCH}`);
  });

  test("writes the upstream although another git holds the configuration for a moment", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, worktree, target } = await ready(sandbox);
    await committedEdit(git, worktree);
    const lock = join(repo, ".git", "config.lock");
    await writeFile(lock, "");
    // The other git is done after our first try.
    const binary = join(sandbox.root, "git");
    const freesIt = `case " $* " in *" branch --set-upstream-to="*) git "$@"; code=$?; rm -f '${lock}'; exit $code ;; esac`;
    await writeFile(binary, `#!/bin/sh\n${freesIt}\nexec git "$@"\n`);
    await chmod(binary, 0o755);
    const pushed = (await pushTip(productGit(sandbox, { binary }), target, FIRST))._unsafeUnwrap();
    expect(pushed).toMatchObject({ success: true, upstreamWritten: true });
    expect(await sandbox.git(repo, ["config", `branch.${BRANCH}.remote`])).toBe("origin");
  });

  test(deep("succeeds although the upstream cannot be written"), async () => {
    await using sandbox = await gitSandbox();
    const { origin, repo, git, worktree, target } = await ready(sandbox);
    const sha = await committedEdit(git, worktree);
    await writeFile(join(repo, ".git", "config.lock"), "");
    const result = (await pushTip(git, target, FIRST))._unsafeUnwrap();
    expect(result).toMatchObject({ success: true, upstreamWritten: false });
    expect(await sandbox.git(origin, ["rev-parse", BRANCH])).toBe(sha);
  });

  test("seed 003 Push with retry: a push that the remote refuses by a hook is not retried, and says why", async () => {
    await using sandbox = await gitSandbox();
    const { origin, git, worktree, target } = await ready(sandbox);
    await hook(origin, "pre-receive", "echo 'rule 7: no agents on Fridays' >&2; exit 1");
    await committedEdit(git, worktree);
    expect((await pushTip(git, target, FIRST))._unsafeUnwrap()).toEqual({
      success: false,
      requiredPull: false,
      error: {
        kind: "remote_rejected",
        reason: "[remote rejected] (pre-receive hook declined)",
        remoteSaid: "rule 7: no agents on Fridays",
        message: "[remote rejected] (pre-receive hook declined)\nrule 7: no agents on Fridays",
      },
    });
  });

  test("of an older history needs a pull, by fetch first and by non-fast-forward", async () => {
    await using sandbox = await gitSandbox();
    const { origin, git, worktree, target, remote } = await ready(sandbox);
    await committedEdit(git, worktree);
    await theirs(sandbox, origin, { "theirs.txt": "theirs" });
    const behind = (await pushTip(git, target, FIRST))._unsafeUnwrap();
    expect(behind).toMatchObject({ success: false, requiredPull: true, error: { kind: "behind" } });
    (await fetchBranch(git, target, { remote, branch: BRANCH }))._unsafeUnwrap();
    const known = (await pushTip(git, target, FIRST))._unsafeUnwrap();
    expect(known).toMatchObject({ success: false, requiredPull: true, error: { kind: "behind" } });
    expect(JSON.stringify(known)).toContain("non-fast-forward");
  });

  test("to a remote that is gone is out of reach", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, worktree, target } = await ready(sandbox);
    await committedEdit(git, worktree);
    await sandbox.git(repo, ["remote", "set-url", "origin", join(sandbox.root, "nowhere.git")]);
    const result = (await pushTip(git, target, FIRST))._unsafeUnwrap();
    expect(result).toMatchObject({
      success: false,
      requiredPull: false,
      error: { kind: "remote_unreachable", timedOut: false },
    });
  });

  test("into a mirror clone's own remote pushes one branch only", async () => {
    await using sandbox = await gitSandbox();
    const { origin, repo, git, worktree, target } = await ready(sandbox);
    await sandbox.git(repo, ["config", "remote.origin.mirror", "true"]);
    await sandbox.git(repo, ["branch", "private"]);
    await committedEdit(git, worktree);
    expect((await pushTip(git, target, FIRST))._unsafeUnwrap().success).toBe(true);
    expect(await sandbox.git(origin, ["branch", "--list", "private"])).toBe("");
  });

  test.each(["moves", "makes"] as const)(
    "that another one overtakes, which %s the branch while the remote reads ours, is behind",
    async (what) => {
      await using sandbox = await gitSandbox();
      const { origin, git, worktree, target } = await ready(sandbox);
      await committedEdit(git, worktree);
      if (what === "moves") expect((await pushTip(git, target, FIRST))._unsafeUnwrap().success).toBe(true);
      const other = await sandbox.commitTo(origin, "other", { "theirs.txt": "theirs" });
      await committedEdit(git, worktree, { "second.txt": "second" });
      await hook(origin, "update", `git update-ref "$1" ${other}`);
      expect((await pushTip(git, target, FIRST))._unsafeUnwrap()).toMatchObject({
        success: false,
        requiredPull: true,
        error: { kind: "behind" },
      });
      expect(await sandbox.git(origin, ["rev-parse", BRANCH])).toBe(other);
    },
  );
});

describe("the retry of a push", () => {
  test("a pull that could not write FETCH_HEAD, which git does not notice, is told as a full disk", async () => {
    await using sandbox = await gitSandbox();
    const { origin, git, worktree, target, pulling } = await ready(sandbox);
    const ours = await committedEdit(git, worktree);
    (await pushTip(git, target, FIRST))._unsafeUnwrap();
    await theirs(sandbox, origin, { "theirs.txt": "theirs" });
    const list = join(target.gitDir, "FETCH_HEAD");
    const binary = join(sandbox.root, "git-on-a-full-disk");
    // What is written to that link is lost without an error, as on a full disk.
    const script = `#!/bin/sh\nln -sf /dev/null '${list}'\ngit "$@"\ncode=$?\nrm '${list}'\nexit $code\n`;
    await writeFile(binary, script, { mode: 0o755 });
    const scratch = join(sandbox.root, "scratch");
    const full = createGit({ binary, env: sandbox.env, timeoutMs: 60_000, scratch });
    expect((await pull(full, target, pulling))._unsafeUnwrapErr()).toMatchObject({
      kind: "disk_full",
      message: expect.stringContaining("Git could not write FETCH_HEAD."),
    });
    expect((await readHead(git, target))._unsafeUnwrap()).toMatchObject({ sha: ours });
    (await pull(git, target, pulling))._unsafeUnwrap();
  });

  test("seed 003 Push with retry, Phase 4 and GitService: `is_behind_remote` tells when to pull; fetch, pull and push then arrive", async () => {
    await using sandbox = await gitSandbox();
    const { origin, repo, git, worktree, target, remote, pulling } = await ready(sandbox);
    const before = await fingerprint(await discovered(git, repo));
    const ours = await committedEdit(git, worktree);
    const other = await theirs(sandbox, origin, { "theirs.txt": "theirs" });
    expect((await pushTip(git, target, FIRST))._unsafeUnwrap().requiredPull).toBe(true);
    expect((await isBehindRemote(git, target, { remote: "origin", branch: BRANCH }))._unsafeUnwrap()).toBe(
      false,
    );
    (await fetchBranch(git, target, { remote, branch: BRANCH }))._unsafeUnwrap();
    expect((await isBehindRemote(git, target, { remote: "origin", branch: BRANCH }))._unsafeUnwrap()).toBe(
      true,
    );
    (await pull(git, target, pulling))._unsafeUnwrap();
    expect((await isBehindRemote(git, target, { remote: "origin", branch: BRANCH }))._unsafeUnwrap()).toBe(
      false,
    );
    expect((await isAncestor(git, target, { ancestor: other, descendant: "HEAD" }))._unsafeUnwrap()).toBe(
      true,
    );
    expect((await isAncestor(git, target, { ancestor: "HEAD", descendant: other }))._unsafeUnwrap()).toBe(
      false,
    );
    expect((await pushTip(git, target, FIRST))._unsafeUnwrap().success).toBe(true);
    const head = (await readHead(git, target))._unsafeUnwrap();
    expect(await sandbox.git(origin, ["log", "-1", "--format=%P", BRANCH])).toBe(`${ours} ${other}`);
    expect(await sandbox.git(origin, ["rev-parse", BRANCH])).toBe(head.sha ?? "");
    expect(await fingerprint(await discovered(git, repo), { branches: [BRANCH] })).toEqual(before);
  });

  test("seed 003 Push with retry and GitService: `git pull origin` works with a user's pull.rebase, pull.ff=only and merge editor (departs: `--no-rebase --no-edit`)", async () => {
    await using sandbox = await gitSandbox({
      globalConfig:
        "[pull]\n\trebase = true\n\tff = only\n[merge]\n\tff = only\n[core]\n\teditor = sleep 600\n",
    });
    const { origin, git, worktree, target, pulling } = await ready(sandbox);
    await committedEdit(git, worktree);
    await theirs(sandbox, origin, { "theirs.txt": "theirs" });
    (await pull(git, target, pulling))._unsafeUnwrap();
    expect((await pushTip(git, target, FIRST))._unsafeUnwrap().success).toBe(true);
  });

  test("that meets a conflict names the files, and its abort leaves every file as it was", async () => {
    await using sandbox = await gitSandbox();
    const { origin, git, worktree, target, pulling } = await ready(sandbox);
    const sha = await committedEdit(git, worktree, { "src/app.txt": "ours\n", "手綱.txt": "ours\n" });
    await theirs(sandbox, origin, { "src/app.txt": "theirs\n", "手綱.txt": "theirs\n", "clean.txt": "x" });
    await writeFiles(worktree.path, { "untracked.txt": "left by a check", "README.md": "not committed\n" });
    const before = await fingerprint({
      path: worktree.path,
      gitDir: worktree.gitDir,
      commonDir: join(worktree.gitDir, "../.."),
    });
    const conflict = (await pull(git, target, pulling))._unsafeUnwrapErr();
    expect(conflict).toMatchObject({ kind: "conflict", paths: ["src/app.txt", "手綱.txt"] });
    expect((await mergeInProgress(git, target))._unsafeUnwrap()).toBe(true);
    (await abortMerge(git, target))._unsafeUnwrap();
    expect((await mergeInProgress(git, target))._unsafeUnwrap()).toBe(false);
    expect((await readHead(git, target))._unsafeUnwrap()).toEqual({ sha, branch: BRANCH });
    const after = await fingerprint({
      path: worktree.path,
      gitDir: worktree.gitDir,
      commonDir: join(worktree.gitDir, "../.."),
    });
    expect(contents(after)).toEqual(contents(before));
    (await abortMerge(git, target))._unsafeUnwrap();
  });

  test.each(["fetch", "pull"] as const)(
    "a %s goes through though the user fetches the same commits at the same time",
    async (what) => {
      await using sandbox = await gitSandbox();
      const { origin, repo, git, worktree, target, remote, pulling } = await ready(sandbox);
      await committedEdit(git, worktree);
      expect((await pushTip(git, target, FIRST))._unsafeUnwrap().success).toBe(true);
      const other = await theirs(sandbox, origin, { "theirs.txt": "theirs" });
      const met = await usersFetchInTheMiddle(sandbox, repo);
      const done = await (what === "fetch"
        ? fetchBranch(git, target, { remote, branch: BRANCH })
        : pull(git, target, pulling));
      expect([await Bun.file(met).exists(), done.isOk()]).toEqual([true, true]);
      const seen = { ancestor: other, descendant: what === "fetch" ? `origin/${BRANCH}` : "HEAD" };
      expect((await isAncestor(git, target, seen))._unsafeUnwrap()).toBe(true);
    },
  );

  test("stops before it would overwrite files that are not committed", async () => {
    await using sandbox = await gitSandbox();
    const { origin, git, worktree, target, pulling } = await ready(sandbox);
    const sha = await committedEdit(git, worktree);
    await theirs(sandbox, origin, { "new.txt": "theirs", "src/app.txt": "theirs" });
    await writeFiles(worktree.path, { "new.txt": "mine" });
    expect((await pull(git, target, pulling))._unsafeUnwrapErr()).toMatchObject({
      kind: "local_changes",
      paths: ["new.txt"],
    });
    await writeFiles(worktree.path, { "new.txt": null, "src/app.txt": "mine" });
    expect((await pull(git, target, pulling))._unsafeUnwrapErr()).toMatchObject({
      kind: "local_changes",
      paths: ["src/app.txt"],
    });
    expect((await readHead(git, target))._unsafeUnwrap().sha).toBe(sha);
    expect(await Bun.file(join(worktree.path, "src/app.txt")).text()).toBe("mine");
  });

  test("merges a base on request, and lists what is left in conflict", async () => {
    await using sandbox = await gitSandbox();
    const { origin, git, worktree, target, remote, pulling } = await ready(sandbox);
    await committedEdit(git, worktree, { "src/app.txt": "ours\n" });
    await sandbox.commitTo(origin, "main", { "src/app.txt": "theirs\n" });
    (await fetchRemote(git, target, remote))._unsafeUnwrap();
    const merged = await merge(git, target, { ...pulling, revision: "refs/remotes/origin/main" });
    expect(merged._unsafeUnwrapErr()).toMatchObject({ kind: "conflict", paths: ["src/app.txt"] });
    expect((await unmergedPaths(git, target))._unsafeUnwrap()).toEqual(["src/app.txt"]);
    const sha = await committedEdit(git, worktree, { "src/app.txt": "both\n" });
    expect((await sandbox.git(worktree.path, ["log", "-1", "--format=%P", sha])).split(" ")).toHaveLength(2);
    expect((await mergeInProgress(git, target))._unsafeUnwrap()).toBe(false);
  });
});

describe("a fetch", () => {
  test("seed 003 Phase 1: `git fetch origin --prune` prunes what is gone (departs: FETCH_HEAD of the user is kept)", async () => {
    await using sandbox = await gitSandbox();
    const { origin, repo, git, target, remote } = await ready(sandbox);
    await sandbox.commitTo(origin, "gone", { "a.txt": "a" });
    await sandbox.git(repo, ["fetch", "-q", "origin", "gone"]);
    const fetchHead = await Bun.file(join(repo, ".git", "FETCH_HEAD")).text();
    await sandbox.git(origin, ["branch", "-D", "gone"]);
    (await fetchRemote(git, targetOf(await discovered(git, repo)), remote))._unsafeUnwrap();
    expect(await sandbox.git(repo, ["for-each-ref", "refs/remotes/origin/gone"])).toBe("");
    expect(await Bun.file(join(repo, ".git", "FETCH_HEAD")).text()).toBe(fetchHead);
    const missing = await fetchBranch(git, target, { remote, branch: "gone" });
    expect(missing._unsafeUnwrapErr()).toMatchObject({ kind: "remote_branch_missing", branch: "gone" });
  });

  test("is not needed to ask what the remote has", async () => {
    await using sandbox = await gitSandbox();
    const { origin, git, target } = await ready(sandbox);
    const main = await sandbox.git(origin, ["rev-parse", "main"]);
    expect((await remoteHead(git, target, { remote: "origin", branch: "main" }))._unsafeUnwrap()).toBe(main);
    expect((await remoteHead(git, target, { remote: "origin", branch: "none" }))._unsafeUnwrap()).toBeNull();
    expect((await symrefHead(git, target, "origin"))._unsafeUnwrap()).toBe("main");
  });
});

/** The files' content and mode; a merge that was taken back has written some of them anew. */
function contents(print: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(print)
      .filter(([name]) => !name.startsWith("["))
      .map(([name, value]) => [
        name,
        value
          .split(" ")
          .filter((_, index) => index !== 1)
          .join(" "),
      ]),
  );
}
