/** Tells that comparing the ledgers costs a few git processes for each repository, however many attempts there are. */
import { expect } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reconcile } from "../../src/domain/ledgers/reconcile.ts";
import type { Git } from "../../src/git/runner/run-git.ts";
import { dataPaths } from "../../src/services/core/data-paths.ts";
import { gatherLedgers } from "../../src/services/ledgers/gather-ledgers.ts";
import { insertAttempt, updateAttempt } from "../../src/storage/tables/attempts.ts";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { insertRun } from "../../src/storage/tables/runs.ts";
import { insertTask } from "../../src/storage/tables/tasks.ts";
import { transact } from "../../src/storage/transact.ts";
import { productGit } from "../git/scene.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { sampleAttempt, sampleRepository, sampleRun, sampleTask } from "../storage/sample-rows.ts";

const MANY = 200;

onBothDatabases(
  "two hundred attempts cost two git processes, and each thing is explained",
  async ({ db }) => {
    await using sandbox = await gitSandbox();
    await using home = await tempDir();
    const path = await sandbox.repository("repo");
    const commonDir = join(path, ".git");
    const paths = dataPaths(home.path);
    const numbers = Array.from({ length: MANY }, (_, index) => index);
    await transact(db, async (trx) => {
      await insertRepository(trx, { ...sampleRepository, path, commonDir }, "worker-1");
      await insertTask(trx, sampleTask);
      for (const n of numbers) {
        const worktree = join(paths.worktrees, `run_${n}`);
        const id = `attempt-${n}`;
        await insertAttempt(trx, { ...sampleAttempt, id, worktree, branch: `tazuna/${n}` });
        await updateAttempt(trx, { id, set: { gitDir: join(commonDir, "worktrees", `run_${n}`) } });
        await insertRun(trx, { ...sampleRun, id: `run-${n}`, attemptId: id });
      }
    });
    for (const n of numbers.slice(1)) await mkdir(join(paths.worktrees, `run_${n}`), { recursive: true });
    await symlink(home.path, join(paths.worktrees, "run_0"));
    await mkdir(join(paths.worktrees, "foreign"));
    await writeFile(join(paths.worktrees, "foreign", ".git"), `gitdir: ${commonDir}/worktrees/foreign\n`);
    const counted = countCalls(productGit(sandbox));
    const ledgers = await gatherLedgers({
      db,
      git: counted.git,
      paths,
      owner: null,
      unexaminedOperations: null,
    });
    expect(counted.calls()).toBe(2);
    const found = reconcile(ledgers).filter(({ standing }) => standing !== "in_use" && standing !== "theirs");
    expect(found.map(({ id, standing, owner }) => [id, standing, owner?.id])).toEqual([
      ["worktrees:foreign", "unexplained", "repo-1"],
      ["worktrees:run_0", "unexplained", "attempt-0"],
    ]);
  },
);

function countCalls(git: Git): { readonly git: Git; readonly calls: () => number } {
  let calls = 0;
  const run: Git["run"] = (...args) => {
    calls += 1;
    return git.run(...args);
  };
  return { git: { ...git, run }, calls: () => calls };
}
