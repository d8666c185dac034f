import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { putTree } from "../../src/git/worktree/put-tree.ts";
import { putBack } from "../../src/git/worktree/restore-files.ts";
import { gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { madeWorktree, productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

test("puts the named files back as HEAD has them, be they changed, new, gone or staged; all others stay", async () => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  await sandbox.commit(repo, { "a.txt": "a\n", "gone.txt": "g\n", "mine.txt": "m\n" });
  const git = productGit(sandbox);
  const { target } = await madeWorktree(sandbox, git, repo);
  const files = { "a.txt": "changed\n", "gone.txt": null, ":(top)*": "new", "new/deep.txt": "new" };
  await writeFiles(target.workTree, { ...files, "mine.txt": "mine\n", "other.txt": "other" });
  await sandbox.git(target.workTree, ["add", "a.txt"]);
  (await putBack(git, target, Object.keys(files)))._unsafeUnwrap();
  expect(await sandbox.git(target.workTree, ["status", "--porcelain", "-uall"])).toBe(
    " M mine.txt\n?? other.txt",
  );
  expect(await readFile(join(target.workTree, "gone.txt"), "utf8")).toBe("g\n");
});

test("files go back although git refuses their line ends", async () => {
  await using sandbox = await gitSandbox({ globalConfig: "[core]\n\tautocrlf = input\n\tsafecrlf = true\n" });
  const repo = await sandbox.repository("repo");
  const git = productGit(sandbox);
  const { target, headSha } = await madeWorktree(sandbox, git, repo);
  const changed = { "README.md": "one\r\n", "new.txt": "two\r\n" };
  await writeFiles(target.workTree, changed);
  (await putBack(git, target, ["README.md"]))._unsafeUnwrap();
  expect(await sandbox.git(target.workTree, ["status", "--porcelain"])).toBe("?? new.txt");
  await writeFiles(target.workTree, changed);
  (await putTree(git, target, { tree: headSha }))._unsafeUnwrap();
  expect(await sandbox.git(target.workTree, ["status", "--porcelain"])).toBe("");
});
