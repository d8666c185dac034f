import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stageAll, writeTree } from "../../src/git/index/stage.ts";
import { listRefs, readRef } from "../../src/git/refs/refs.ts";
import { keepRunTree, readRunTrees } from "../../src/git/refs/run-trees.ts";
import { createGit, type Git } from "../../src/git/runner/run-git.ts";
import { listSnapshots, takeSnapshot } from "../../src/git/snapshot/snapshot.ts";
import { fingerprint } from "../helpers/checkout-fingerprint.ts";
import { type Files, type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { changeWithinOneSecond, madeWorktree, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const OPTIONS = { attempt: "a1", reason: "before cleanup" };

async function ready(sandbox: GitSandbox, files: Files = {}) {
  const repo = await sandbox.repository("repo");
  if (Object.keys(files).length > 0) await sandbox.commit(repo, files);
  const git = productGit(sandbox);
  const worktree = await madeWorktree(sandbox, git, repo);
  return { repo, git, worktree, target: worktree.target };
}

describe("a snapshot", () => {
  test("holds everything that is not ignored, with HEAD as parent, and changes nothing (promise 2.2)", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, worktree, target } = await ready(sandbox, {
      ".gitignore": "*.log\n",
      "gone.txt": "x",
    });
    await writeFiles(target.workTree, {
      "README.md": "changed",
      "gone.txt": null,
      "-new\nfile": "new",
      "tool.sh": { kind: "executable", content: "#!/bin/sh\n" },
      "debug.log": "ignored",
    });
    await sandbox.git(worktree.path, ["add", "README.md"]);
    await writeFile(join(worktree.path, "README.md"), "changed again");
    const place = { path: worktree.path, gitDir: worktree.gitDir, commonDir: join(repo, ".git") };
    const before = await fingerprint(place);
    const taken = (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    expect(await fingerprint(place)).toEqual(before);
    expect(taken).toMatchObject({ ref: "refs/tazuna/snapshots/a1/1", notContained: [] });
    expect((await readRef(git, target, taken.ref))._unsafeUnwrap()).toBe(taken.sha);
    expect(await sandbox.git(repo, ["ls-tree", "-r", "-z", "--name-only", taken.sha])).toBe(
      "-new\nfile\0.gitignore\0README.md\0src/app.txt\0tool.sh\0",
    );
    expect(await sandbox.git(repo, ["cat-file", "blob", `${taken.sha}:README.md`])).toBe("changed again");
    expect(await sandbox.git(repo, ["ls-tree", taken.sha, "tool.sh"])).toStartWith("100755");
    expect(await sandbox.git(repo, ["log", "-1", "--format=%P|%an|%s", taken.sha])).toBe(
      `${worktree.headSha}|Tazuna|Tazuna snapshot: before cleanup`,
    );
  });

  test("holds a file that was changed in the second in which git staged it, and kept its size", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, worktree } = await ready(sandbox);
    await changeWithinOneSecond(sandbox, worktree, "src/app.txt");
    const taken = (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    expect(await sandbox.git(worktree.path, ["cat-file", "blob", `${taken.sha}:src/app.txt`])).toBe("after!");
  });

  test("holds files that are marked as unchanged or skipped in the index, and leaves the marks", async () => {
    await using sandbox = await gitSandbox();
    const { git, target, worktree } = await ready(sandbox);
    await sandbox.git(worktree.path, ["update-index", "--assume-unchanged", "README.md"]);
    await sandbox.git(worktree.path, ["update-index", "--skip-worktree", "src/app.txt"]);
    await writeFiles(target.workTree, { "README.md": "hidden one", "src/app.txt": "hidden two" });
    const { sha } = (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    expect(await sandbox.git(worktree.path, ["cat-file", "blob", `${sha}:README.md`])).toBe("hidden one");
    expect(await sandbox.git(worktree.path, ["cat-file", "blob", `${sha}:src/app.txt`])).toBe("hidden two");
    expect(await sandbox.git(worktree.path, ["ls-files", "-v"])).toBe("h README.md\nS src/app.txt");
  });

  test("counts up, also when many are taken at once", async () => {
    await using sandbox = await gitSandbox();
    const { git, target } = await ready(sandbox);
    const taken = await Promise.all(Array.from({ length: 5 }, () => takeSnapshot(git, target, OPTIONS)));
    const refs = taken.map((one) => one._unsafeUnwrap().ref).sort();
    expect(refs).toEqual([1, 2, 3, 4, 5].map((n) => `refs/tazuna/snapshots/a1/${n}`));
    for (let n = 6; n <= 11; n++) (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    const listed = (await listSnapshots(git, target, "a1"))._unsafeUnwrap();
    expect(listed.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect((await listSnapshots(git, target, "a"))._unsafeUnwrap()).toEqual([]);
  });

  test("lists nested repositories as not contained, with and without a commit of their own", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target } = await ready(sandbox);
    for (const name of ["bare-init", "with-commit"]) {
      await mkdir(join(target.workTree, name));
      await sandbox.git(join(target.workTree, name), ["init", "-q"]);
      await writeFile(join(target.workTree, name, "work.txt"), "work");
    }
    await sandbox.commit(join(target.workTree, "with-commit"), { "inner.txt": "x" });
    await writeFile(join(target.workTree, "mine.txt"), "mine");
    const taken = (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    expect(taken.notContained).toEqual([
      { path: "bare-init", reason: "nested_repository" },
      { path: "with-commit", reason: "nested_repository" },
    ]);
    expect(await sandbox.git(repo, ["cat-file", "blob", `${taken.sha}:mine.txt`])).toBe("mine");
  });

  test("is taken without filters if a filter of the user's fails, so that nothing is lost", async () => {
    await using sandbox = await gitSandbox({
      globalConfig:
        '[filter "lfs"]\n\tclean = git-lfs-is-not-here clean\n\tprocess = git-lfs-is-not-here\n\trequired = true\n',
    });
    const { repo, git, target } = await ready(sandbox);
    await writeFiles(target.workTree, { ".gitattributes": "*.bin filter=lfs\n", "big.bin": "big content" });
    expect((await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrapErr()).toMatchObject({
      kind: "filter_failed",
      filter: "lfs",
    });
    const taken = (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    expect(await sandbox.git(repo, ["cat-file", "blob", `${taken.sha}:big.bin`])).toBe("big content");
  });

  test("is taken although git refuses the line ends of one file, and the encoding of another", async () => {
    await using sandbox = await gitSandbox({
      globalConfig: "[core]\n\tautocrlf = input\n\tsafecrlf = true\n",
    });
    const { repo, git, target } = await ready(sandbox, { "old.wide": "old" });
    await writeFiles(target.workTree, { "ends.txt": "one\r\ntwo\r\n" });
    const first = (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    expect(first.notContained).toEqual([]);
    const encoded = { ".gitattributes": "*.wide working-tree-encoding=UTF-16\n", "old.wide": "no mark" };
    await writeFiles(target.workTree, { ...encoded, "new.wide": "no mark", "mine.txt": "mine" });
    const second = (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    expect(second.notContained).toEqual([
      { path: "new.wide", reason: "unreadable" },
      { path: "old.wide", reason: "unreadable" },
    ]);
    expect(await sandbox.git(repo, ["cat-file", "blob", `${second.sha}:mine.txt`])).toBe("mine");
  });

  test("is taken although an index lock of a dead process is in the way, and without any index", async () => {
    await using sandbox = await gitSandbox();
    const { git, worktree, target } = await ready(sandbox);
    await writeFile(join(worktree.gitDir, "index.lock"), "");
    await writeFile(join(worktree.path, "new.txt"), "new");
    const first = (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    await rm(join(worktree.gitDir, "index"));
    const second = (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    expect(second.tree).toBe(first.tree);
  });

  test("holds the files outside the patterns of a sparse checkout too", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target } = await ready(sandbox, { "other/a.txt": "a" });
    await sandbox.git(target.workTree, ["sparse-checkout", "set", "src"]);
    await writeFiles(target.workTree, { "other/new.txt": "new" });
    const taken = (await takeSnapshot(git, target, OPTIONS))._unsafeUnwrap();
    expect(taken.notContained).toEqual([]);
    const names = await sandbox.git(repo, ["ls-tree", "-r", "--name-only", taken.sha, "other"]);
    expect(names).toBe("other/a.txt\nother/new.txt");
  });

  const isRoot = process.getuid?.() === 0;
  const cannot = isRoot && Bun.which("setpriv") === null;
  test.skipIf(cannot)(
    `lists what cannot be read as not contained${cannot ? " (skipped: there is no setpriv for root)" : ""}`,
    async () => {
      await using sandbox = await gitSandbox();
      const { repo, git, target } = await ready(sandbox);
      await writeFiles(target.workTree, { "secret.txt": "x", "README.md": "changed", "mine.txt": "mine" });
      await writeFiles(target.workTree, { "closed/inside.txt": "x" });
      for (const name of ["secret.txt", "README.md", "closed"])
        await chmod(join(target.workTree, name), 0o000);
      const mortal = isRoot ? await withoutOverride(sandbox) : git;
      const taken = (await takeSnapshot(mortal, target, OPTIONS))._unsafeUnwrap();
      expect(taken.notContained).toEqual([
        { path: "closed", reason: "unreadable" },
        { path: "secret.txt", reason: "unreadable" },
        { path: "README.md", reason: "unreadable" },
      ]);
      expect(await sandbox.git(repo, ["ls-tree", "-r", "--name-only", taken.sha])).toContain("mine.txt");
      await chmod(join(target.workTree, "closed"), 0o755);
    },
  );
});

/** Git as root without the right to read what no mode lets it read. */
async function withoutOverride(sandbox: GitSandbox): Promise<Git> {
  const binary = join(sandbox.root, "git-as-mortal");
  const caps = "-dac_override,-dac_read_search";
  await writeFile(binary, `#!/bin/sh\nexec setpriv --inh-caps=${caps} --bounding-set=${caps} git "$@"\n`);
  await chmod(binary, 0o755);
  return createGit({ binary, env: sandbox.env, timeoutMs: 60_000, scratch: join(sandbox.root, "scratch") });
}

describe("the trees of a run", () => {
  test("are kept under its own references and survive a garbage collection", async () => {
    await using sandbox = await gitSandbox();
    const { repo, git, target } = await ready(sandbox);
    expect((await readRunTrees(git, target, "r1"))._unsafeUnwrap()).toEqual({ before: null, after: null });
    const before = (await writeTree(git, target))._unsafeUnwrap();
    (await keepRunTree(git, target, { run: "r1", side: "before", tree: before }))._unsafeUnwrap();
    await writeFiles(target.workTree, { "new.txt": "new" });
    (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
    const after = (await writeTree(git, target))._unsafeUnwrap();
    (await keepRunTree(git, target, { run: "r1", side: "after", tree: after }))._unsafeUnwrap();
    (await keepRunTree(git, target, { run: "r1", side: "after", tree: after }))._unsafeUnwrap();
    (await keepRunTree(git, target, { run: "r10", side: "after", tree: before }))._unsafeUnwrap();
    await sandbox.git(repo, ["gc", "-q", "--prune=now"]);
    expect((await readRunTrees(git, target, "r1"))._unsafeUnwrap()).toEqual({ before, after });
    const refs = (await listRefs(git, target, { prefixes: ["refs/tazuna/runs/r1/"] }))._unsafeUnwrap();
    expect(refs.map(({ name }) => name)).toEqual(["refs/tazuna/runs/r1/after", "refs/tazuna/runs/r1/before"]);
    (await keepRunTree(git, target, { run: "r1", side: "after", tree: before }))._unsafeUnwrap();
    expect((await readRunTrees(git, target, "r1"))._unsafeUnwrap().after).toBe(before);
  });
});
