/** Kills the git that looks for the result of an interrupted undo: the undo does not count as never done. */
import { expect, setDefaultTimeout } from "bun:test";
import { join } from "node:path";
import type { Operation } from "../../src/domain/operation.ts";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { undoneBefore } from "../../src/services/undo/note-undone.ts";
import { insertAttempt } from "../../src/storage/tables/attempts.ts";
import { insertRepository } from "../../src/storage/tables/repositories.ts";
import { insertTask } from "../../src/storage/tables/tasks.ts";
import { transact } from "../../src/storage/transact.ts";
import { productGit, TEST_TIMEOUT_MS } from "../git/scene.ts";
import { onBothDatabases } from "../helpers/databases.ts";
import { doomedGit } from "../helpers/doomed-git.ts";
import { gitSandbox } from "../helpers/git-repo.ts";
import { sampleAttempt, sampleRepository, sampleTask } from "../storage/sample-rows.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

onBothDatabases(
  "an undo that was done is not abandoned where git is killed as it is asked",
  async ({ db }) => {
    await using sandbox = await gitSandbox();
    await using doomed = await doomedGit();
    const path = await sandbox.repository("repo");
    const to = await sandbox.git(path, ["rev-parse", "main"]);
    await transact(db, async (trx) => {
      await insertRepository(trx, { ...sampleRepository, path, commonDir: join(path, ".git") }, "worker-1");
      await insertTask(trx, sampleTask);
      await insertAttempt(trx, sampleAttempt);
    });
    const git = productGit(sandbox, { env: { PATH: doomed.path } });
    const subject = { type: "attempt", id: sampleAttempt.id };
    const operation = { subject, before: { ref: "refs/heads/main", to } } as unknown as Operation;
    const ask = () => undoneBefore({ db, git } as unknown as ServiceContext, operation);
    await doomed.doom("refs/heads/main", "all");
    expect(await ask().catch(String)).toContain("SIGKILL");
    await doomed.spare();
    expect(await ask()).toEqual({ ref: "refs/heads/main", sha: to });
  },
);
