/** Tells that a pipe which an agent puts in place of a file of git's blocks nothing. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ok } from "neverthrow";
import { commonDirOf, readGitFile, readHeadFiles } from "../../src/git/process/locate-git-dir.ts";
import { lastCommitOfHead, wasFetched } from "../../src/git/refs/reflog.ts";
import { readSharedFiles } from "../../src/git/repository/shared-files.ts";
import { createListSettings, settingsPlace } from "../../src/git/settings/list-settings.ts";
import { pointsBack } from "../../src/git/worktree/worktree-add.ts";
import { readMergeHead } from "../../src/services/run-core/record-start.ts";
import { exec } from "../../src/utils/exec.ts";
import { type GitSandbox, gitSandbox } from "../helpers/git-repo.ts";
import { tally } from "../helpers/tally.ts";
import { productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

let sandbox: GitSandbox;
let worktree: string;
let commonDir: string;

beforeAll(async () => {
  sandbox = await gitSandbox();
  const main = await sandbox.repository("main");
  commonDir = join(main, ".git");
  worktree = join(sandbox.root, "tree");
  await sandbox.git(main, ["worktree", "add", "--quiet", "-b", "attempt", worktree]);
});
afterAll(() => sandbox?.[Symbol.asyncDispose]());

async function pipeAt(path: string): Promise<void> {
  await rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true });
  await exec(["mkfifo", path], { cwd: "/", env: process.env });
}

const tried = (file: string) => tally("attack", `a pipe in place of git's ${file}`, { under: "guard" });

/** A copy of the repository's two git directories, in which one file is a pipe. */
async function withPipe(file: string): Promise<{ readonly common: string; readonly own: string }> {
  const common = join(sandbox.root, crypto.randomUUID(), ".git");
  await mkdir(dirname(common));
  await exec(["cp", "-R", commonDir, common], { cwd: "/", env: process.env });
  await pipeAt(join(common, file));
  return { common, own: join(common, "worktrees", "tree") };
}

describe("what is read without git", () => {
  test.each<[string, (at: { common: string; own: string }) => unknown, unknown]>([
    ["worktrees/tree/HEAD", ({ own }) => readHeadFiles(own), null],
    ["worktrees/tree/commondir", ({ own }) => commonDirOf(own), null],
    ["worktrees/tree/gitdir", ({ own }) => pointsBack(own, worktree), false],
    ["worktrees/tree/MERGE_HEAD", ({ own }) => readMergeHead(own), null],
    ["worktrees/tree/logs/HEAD", ({ own }) => lastCommitOfHead(own), null],
    ["logs/refs/remotes/x", ({ common }) => wasFetched(common, "refs/remotes/x", "0"), true],
    ["refs/heads/attempt", ({ own }) => readHeadFiles(own), null],
    ["HEAD", ({ common }) => /^\d+ 0$/.test(readSharedFiles(common, "/x").HEAD ?? ""), true],
    ["../.git2/.git", ({ common }) => readGitFile(join(common, "../.git2")), null],
  ])("%s", async (file, read, expected) => {
    expect(await read(await withPipe(file))).toEqual(expected as never);
    tried(file);
  });

  test("the settings of a submodule, which count as planted then", async () => {
    const { own } = await withPipe("worktrees/tree/modules/x/config");
    await writeFile(join(own, "modules/x/HEAD"), "ref: refs/heads/main\n");
    const list = createListSettings(async () => ok(""));
    const listed = (await list(settingsPlace({ gitDir: own })))._unsafeUnwrap();
    expect(listed.map(({ key }) => key)).toEqual(["modules/x/config"]);
    tried("modules/x/config");
  });
});

describe("a call of git is refused before it waits", () => {
  test.each([
    ...["HEAD", "config", "packed-refs", "shallow", "info/exclude", "objects/info/alternates"],
    ...["worktrees/tree/HEAD", "worktrees/tree/index", "worktrees/tree/MERGE_HEAD"],
  ])("%s", async (file) => {
    const { own } = await withPipe(file);
    const refused = await productGit(sandbox).run({ gitDir: own, workTree: worktree }, ["status"]);
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      kind: "redirected",
      message: expect.stringContaining("is a pipe, which git does not make"),
    });
    tried(file);
  });
});
