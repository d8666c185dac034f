import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ok } from "neverthrow";
import { deleteBranch } from "../../src/git/refs/branch.ts";
import { listWorktrees } from "../../src/git/worktree/worktree-list.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { deep } from "../helpers/tier.ts";
import { productGit, TEST_TIMEOUT_MS } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

test(
  deep("a registration of ours that a killed git left without its text is mended, a person's is not"),
  async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    const git = productGit(sandbox);
    const ours = `run_${crypto.randomUUID()}`;
    for (const name of [ours, "mine"])
      await sandbox.git(repo, ["worktree", "add", "--quiet", "--detach", join(repo, "..", name)]);
    const target = { gitDir: join(repo, ".git"), workTree: null };
    const commondir = (name: string) => join(target.gitDir, "worktrees", name, "commondir");
    const whole = await readFile(commondir(ours), "utf8");

    await writeFile(commondir(ours), "");
    expect(await sandbox.git(repo, ["worktree", "list"]).catch(String)).toContain("failed to read");
    const listed = (await listWorktrees(git, target))._unsafeUnwrap();
    expect(listed.map(({ path }) => path)).toContain(join(repo, "..", ours));
    expect(await readFile(commondir(ours), "utf8")).toBe(whole);

    // Any other command that looks at all worktrees mends it too.
    await writeFile(commondir(ours), "");
    expect(await deleteBranch(git, target, "none")).toEqual(ok(null));
    expect(await readFile(commondir(ours), "utf8")).toBe(whole);

    await writeFile(commondir("mine"), "");
    expect((await listWorktrees(git, target)).isErr()).toBe(true);
    expect(await readFile(commondir("mine"), "utf8")).toBe("");
  },
);
