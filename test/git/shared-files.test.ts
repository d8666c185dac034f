/** Tells what counts as foreign in a shared git directory while git itself is at work there. */
import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readSharedFiles } from "../../src/git/repository/shared-files.ts";
import { tempDir } from "../helpers/temp-dir.ts";

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

test("worktrees of ours are none, however long their path, nor one that git has only begun to register", async () => {
  await using folder = await tempDir();
  const { path } = folder;
  const ours = join(path, "w".repeat(200), "w".repeat(200));
  await write(join(path, "HEAD"), "ref: refs/heads/main\n");
  await write(join(path, "worktrees/ours/gitdir"), `${ours}/run_1/.git\n`);
  await write(join(path, "worktrees/begun/gitdir"), "");
  await write(join(path, "worktrees/theirs/gitdir"), "/elsewhere/theirs/.git\n");
  expect(readSharedFiles(path, ours)).toEqual({
    HEAD: "ref: refs/heads/main",
    "worktrees/theirs": "/elsewhere/theirs",
  });
});
