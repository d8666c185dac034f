import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fastForward } from "../../src/git/merge/fast-forward.ts";
import { merge } from "../../src/git/remote/pull.ts";
import { TAZUNA } from "../../src/git/repository/identity.ts";
import { type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

/** On `main`, and a later commit in which a folder is a file; a person's file lies in that folder. */
async function scene(sandbox: GitSandbox) {
  const repo = await sandbox.repository("repo");
  await sandbox.commit(repo, { "notes/one.txt": "one\n" });
  await sandbox.git(repo, ["switch", "--quiet", "--create", "later"]);
  await rm(join(repo, "notes"), { recursive: true });
  const later = await sandbox.commit(repo, { notes: "a file now\n" });
  await sandbox.git(repo, ["switch", "--quiet", "main"]);
  await writeFiles(repo, { "notes/mine.txt": "mine\n" });
  return { repo, later, git: productGit(sandbox), target: { gitDir: join(repo, ".git"), workTree: repo } };
}

describe("a person's file in a folder that becomes a file is a file of theirs in the way (promise 3)", () => {
  test("of a fast-forward", async () => {
    await using sandbox = await gitSandbox();
    const { repo, later, git, target } = await scene(sandbox);
    const moved = await fastForward(git, target, later);
    expect(moved._unsafeUnwrapErr()).toMatchObject({ kind: "local_changes" });
    expect(await sandbox.git(repo, ["status", "--porcelain"])).toBe("?? notes/mine.txt");
  });

  test("of a merge", async () => {
    await using sandbox = await gitSandbox();
    const { repo, later, git, target } = await scene(sandbox);
    await sandbox.git(repo, [
      "-c",
      "user.name=A",
      "-c",
      "user.email=a@b.c",
      "commit",
      "-qm",
      "2",
      "--allow-empty",
    ]);
    const identity = { source: "fallback", author: TAZUNA, committer: TAZUNA } as const;
    const merged = await merge(git, target, { revision: later, identity, sign: "off" });
    expect(merged._unsafeUnwrapErr()).toMatchObject({ kind: "local_changes", paths: ["notes"] });
    expect(await sandbox.git(repo, ["status", "--porcelain"])).toBe("?? notes/mine.txt");
  });
});
