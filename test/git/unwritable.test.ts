/** Tells that git on a full or read-only disk fails as that, also if git names no cause. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { pruneWorktree } from "../../src/git/worktree/worktree-prune.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { tally } from "../helpers/tally.ts";
import { smallDisk, whyNoSmallDisk } from "../journeys/crash/small-disk.ts";
import { productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const noDisk = await whyNoSmallDisk();

const WRITING: readonly (readonly [string, readonly string[]])[] = [
  ["a reference", ["update-ref", "refs/tazuna/a/b/c", "HEAD"]],
  ["a branch", ["branch", "--force", "a/b/c"]],
  ["an object", ["hash-object", "-w", "README.md"]],
  ["the index", ["update-index", "--add", "--cacheinfo", `100644,${"1".repeat(40)},new.txt`]],
  ["a commit", ["commit", "--allow-empty", "-m", "More"]],
];

describe.skipIf(noDisk !== null)(`a full disk${noDisk === null ? "" : ` (skipped: ${noDisk})`}`, () => {
  test.each([...WRITING])("is reported as one by what writes %s", async (_, args) => {
    await using sandbox = await gitSandbox();
    const path = await sandbox.repository("full");
    await using disk = await smallDisk(path, "1m");
    await sandbox.git(path, ["hash-object", "-w", "src/app.txt"]);
    const target = { gitDir: join(path, ".git"), workTree: path };
    const git = productGit(sandbox);
    for (const left of [0, 1, 2, 3, 4, 5].map((pages) => pages * 4096)) {
      await disk.fill(left);
      const ended = await git.run(target, args);
      if (ended.isErr()) expect(ended.error.kind).toBe("disk_full");
      if (left === 0 && ended.isOk()) expect(args).toContain("hash-object");
    }
    await disk.free();
    for (const left of [0, 1, 2, 3]) {
      await disk.fillInodes(left);
      const ended = await git.run(target, args);
      if (ended.isErr()) expect(ended.error.kind).toBe("disk_full");
    }
    await disk.free();
    expect((await git.run(target, ["status", "--porcelain"])).isOk()).toBe(true);
    tally("fault", `no room for git: ${args[0]}`);
  });
});

test.skipIf(noDisk !== null)(
  `a disk that is read-only is named by whatever writes${noDisk === null ? "" : ` (skipped: ${noDisk})`}`,
  async () => {
    await using sandbox = await gitSandbox();
    const path = await sandbox.repository("closed");
    await using disk = await smallDisk(path, "1m");
    disk.remount("ro");
    const target = { gitDir: join(path, ".git"), workTree: path };
    for (const [, args] of WRITING) {
      const ended = await productGit(sandbox).run(target, args);
      if (ended.isErr()) expect(ended.error.message).toContain("Read-only file system");
      else expect(args).toContain("hash-object");
    }
    disk.remount("rw");
    tally("fault", "a read-only disk under git");
  },
);

test.skipIf(noDisk !== null)(
  `a registration that a read-only disk keeps is reported as kept, though git ends well${noDisk === null ? "" : ` (skipped: ${noDisk})`}`,
  async () => {
    await using sandbox = await gitSandbox();
    const path = await sandbox.repository("closed");
    await using disk = await smallDisk(path, "1m");
    const worktree = join(sandbox.root, "moved-away");
    await sandbox.git(path, ["worktree", "add", "-q", worktree]);
    await rename(worktree, `${worktree}.trash`);
    const target = { gitDir: join(path, ".git"), workTree: path };
    disk.remount("ro");
    const kept = await pruneWorktree(productGit(sandbox), target, worktree);
    disk.remount("rw");
    expect(kept._unsafeUnwrapErr()).toMatchObject({
      kind: "still_registered",
      message: expect.stringContaining("Read-only file system"),
    });
    expect((await pruneWorktree(productGit(sandbox), target, worktree)).isOk()).toBe(true);
    tally("fault", "a read-only disk under git");
  },
);
