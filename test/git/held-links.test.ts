/** Tells that git, when it writes files of a worktree, follows no link there, even one that comes meanwhile. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { stageAll, writeTree } from "../../src/git/index/stage.ts";
import { findHolder, heldArgv, needsLinks, writesFiles } from "../../src/git/runner/held-links.ts";
import { restoreTree } from "../../src/git/worktree/restore-files.ts";
import { type Files, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { madeWorktree, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const run = async (argv: readonly string[], cwd: string) => Bun.spawnSync([...argv], { cwd }).exitCode;
const isHeld = await findHolder(process.env.TMPDIR ?? "/tmp", run)();
const why = isHeld ? "" : " (skipped: this machine has no mounts that follow no links)";

/** Swaps `src` for a link out of the tree without a pause; each turn is told by a byte. */
const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
  for (let turn = 0; ; turn++) {
    try { renameSync("src", "../aside"); } catch {}
    try { symlinkSync(process.argv[1], "src"); } catch {}
    try { unlinkSync("src"); } catch {}
    try { renameSync("../aside", "src"); } catch {}
    if (turn % 100 === 0) process.stdout.write(".");
  }`;

const MANY: Files = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`src/${index}`, "theirs"]));

describe("a git that writes files of a worktree", () => {
  test.skipIf(!isHeld)(
    `writes nothing through a folder that is swapped for a link (promise 1.2)${why}`,
    async () => {
      await using sandbox = await gitSandbox();
      const git = productGit(sandbox);
      const { target, path } = await madeWorktree(sandbox, git, await sandbox.repository("repo"));
      const outside = join(sandbox.root, "outside");
      await mkdir(outside);
      await writeFiles(path, MANY);
      (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
      const tree = (await writeTree(git, target))._unsafeUnwrap();
      const swapper = Bun.spawn([process.execPath, "-e", SWAPPER, outside], { cwd: path, stdout: "pipe" });
      let turns = 0;
      const counted = (async () => {
        for await (const chunk of swapper.stdout) turns += chunk.length;
      })();
      await waitFor("the swapper to swap", () => turns > 3);
      for (let count = 0; count < 25; count++) await restoreTree(git, target, { tree });
      swapper.kill("SIGKILL");
      await counted;
      expect(await readdir(outside)).toEqual([]);
    },
  );

  test.skipIf(!isHeld)(`ends with git's own exit code, output and owner${why}`, async () => {
    await using sandbox = await gitSandbox();
    const git = productGit(sandbox);
    const { path, target } = await madeWorktree(sandbox, git, await sandbox.repository("repo"));
    const argv = heldArgv(["sh", "-c", 'id -u; git rev-parse HEAD; cd link; exit "$1"', "sh", "7"], path);
    await symlink(sandbox.root, join(path, "link"));
    const ended = Bun.spawnSync([...argv], { cwd: path, env: sandbox.env });
    const head = (await git.run(target, ["rev-parse", "HEAD"]))._unsafeUnwrap().stdout.trim();
    expect(ended.stdout.toString().trim().split("\n")).toEqual([String(process.getuid?.()), head]);
    expect(ended.stderr.toString()).toContain("link");
  });

  test.skipIf(!isHeld)(`is refused if the worktree itself has become a link${why}`, async () => {
    await using sandbox = await gitSandbox();
    const git = productGit(sandbox);
    const { target, path } = await madeWorktree(sandbox, git, await sandbox.repository("repo"));
    const outside = join(sandbox.root, "outside");
    await mkdir(outside);
    await rename(path, `${path}.moved`);
    await symlink(outside, path);
    const restored = await restoreTree(git, target, { tree: "HEAD" });
    expect(restored.isErr()).toBe(true);
    expect(await readdir(outside)).toEqual([]);
  });
});

describe("which calls are held", () => {
  const linked = { gitDir: "/repo/.git/worktrees/one", workTree: "/data/one" };
  test("those that write files of a linked worktree", () => {
    for (const args of [
      ["read-tree", "-u", "--reset", "x"],
      ["reset", "--keep", "x"],
      ["merge", "x"],
    ])
      expect(writesFiles(linked, args)).toBe(true);
  });
  test("not those that write the index alone, the user's checkout or a first checkout", () => {
    for (const args of [
      ["read-tree", "x"],
      ["reset", "--hard"],
      ["reset", "--mixed"],
      ["add", "-A"],
    ])
      expect(writesFiles(linked, args)).toBe(false);
    expect(writesFiles({ gitDir: "/repo/.git", workTree: "/repo" }, ["merge", "x"])).toBe(false);
  });
  test("again without it if ssh or a filter failed, and not if a link was met", () => {
    const failed = (stderr: string) =>
      needsLinks({
        kind: "git_failed",
        command: "",
        message: "",
        exitCode: 128,
        signal: null,
        stdout: "",
        stderr,
      });
    expect(failed("fatal: Could not read from remote repository.")).toBe(true);
    expect(failed("error: external filter 'node_modules/.bin/x' failed 126")).toBe(true);
    expect(failed("error: unable to create file src/1: Too many levels of symbolic links")).toBe(false);
  });
});
