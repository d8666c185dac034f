import { expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fastForward } from "../../src/git/merge/fast-forward.ts";
import { gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

test("a person's file in a folder that becomes a file is a file of theirs in the way (promise 3)", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  await sandbox.commit(repo, { "notes/one.txt": "one\n" });
  await sandbox.git(repo, ["switch", "--quiet", "--create", "later"]);
  await rm(join(repo, "notes"), { recursive: true });
  const later = await sandbox.commit(repo, { notes: "a file now\n" });
  await sandbox.git(repo, ["switch", "--quiet", "main"]);
  await writeFiles(repo, { "notes/mine.txt": "mine\n" });
  const target = { gitDir: join(repo, ".git"), workTree: repo };
  const moved = await fastForward(productGit(sandbox), target, later);
  expect(moved._unsafeUnwrapErr()).toMatchObject({ kind: "local_changes" });
  expect(await sandbox.git(repo, ["status", "--porcelain"])).toBe("?? notes/mine.txt");
});
