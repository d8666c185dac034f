import { expect, test } from "bun:test";
import { readdir, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { streamPatch } from "../../src/services/diffs/patch-file.ts";
import { productGit } from "../git/scene.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** The files that this process has open and that no folder names any more, such as a patch. */
async function openPatches(root: string): Promise<readonly string[]> {
  const all = await readdir("/proc/self/fd");
  const files = await Promise.all(all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return files.filter((file) => file.startsWith(root) && file.includes("/patch"));
}

test.skipIf(process.platform !== "linux")(
  "a patch is closed if its reader leaves before, while or after it is made",
  async () => {
    await using sandbox = await gitSandbox();
    const repo = await sandbox.repository("repo");
    await writeFile(join(repo, "long.txt"), "a line\n".repeat(100_000));
    await sandbox.git(repo, ["add", "-A"]);
    await sandbox.git(repo, ["commit", "--quiet", "-m", "Long"]);
    const [from = "", to = ""] = (await sandbox.git(repo, ["rev-parse", "HEAD~1", "HEAD"])).split("\n");
    const git = productGit(sandbox);
    const target = { gitDir: join(repo, ".git"), workTree: null };
    const reader = () => streamPatch(git, { target, comparison: { from, to } }).getReader();

    const whole = reader();
    while (!(await whole.read()).done);
    await reader().cancel();
    const half = reader();
    expect((await half.read()).value?.length).toBeGreaterThan(0);
    expect(await openPatches(sandbox.root)).toHaveLength(1);
    await half.cancel();
    expect(await openPatches(sandbox.root)).toEqual([]);

    const early = reader();
    const first = early.read().catch(() => null);
    const scratch = join(sandbox.root, "scratch");
    await waitFor("the patch to be made", async () => (await readdir(scratch)).length > 0);
    await early.cancel();
    await first;
    await waitFor("the patch to be away", async () => (await readdir(scratch)).length === 0);
    expect(await openPatches(sandbox.root)).toEqual([]);
  },
);
