/** Kills the git that a clean-up asks for a deleted branch: the branch's commits are in the snapshot. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { doomedGit } from "../../helpers/doomed-git.ts";
import { ask, PATIENCE_MS } from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

test(
  deep(
    "if git is killed as a clean-up looks for a deleted branch, it tries again and snapshots the branch's commits",
  ),
  async () => {
    await using git = await doomedGit();
    await using product = await startProduct({ env: { PATH: git.path } });
    const { sandbox, repository } = product;
    await product.agent("agent", "echo made > made.txt");
    const { attempt, run } = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await sandbox.git(repository, ["update-ref", "-d", `refs/heads/${attempt.branch}`]);
    await git.doom(`rev-parse --verify --quiet refs/heads/${attempt.branch}^{commit}`);
    await product.tazuna(["cancel", attempt.id, "--json"]);
    await waitFor("git to be killed", async () => (await git.calls()) > 0);
    await product.tazuna(["cancel", attempt.id, "--json"]);
    const snapshots = await waitFor("the snapshot", async () => {
      const format = "--format=%(refname)";
      const refs = await sandbox.git(repository, [
        "for-each-ref",
        format,
        `refs/tazuna/snapshots/${attempt.id}/`,
      ]);
      return refs === "" ? null : refs.split("\n");
    });
    for (const ref of snapshots)
      expect(await sandbox.git(repository, ["rev-list", ref])).toContain(run.commit ?? "none");
    tally("fault", "git killed as a clean-up looks for a deleted branch", { under: "guard" });
  },
);
