/** Removes the branch that a cancelled attempt had kept for its pull request, once that has ended. */
import { getAttempt } from "../../storage/tables/attempts.ts";
import { pullRequestOf, savePullRequest } from "../../storage/tables/pull-requests.ts";
import { transact } from "../../storage/transact.ts";
import { removeBranch } from "../branches/remove-branch.ts";
import type { Uses, WorktreeContext } from "../core/context-parts.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import type { Looked } from "./look-at-pull-request.ts";

type LetGoContext = WorktreeContext & Uses<"attemptLock" | "configuration">;

const AGAIN_MS = 600_000;

/** The pull request stays due until that is done, so that a later engine does it. */
export async function letBranchGo(engine: LetGoContext, { place, tracked }: Looked): Promise<void> {
  const { id } = place.attempt;
  if (tracked.state === null || tracked.state === "open" || tracked.lookAt === null) return;
  await engine.attemptLock.run(id, async () => {
    const attempt = await getAttempt(engine.db.reader, id);
    const context = await loadRepositoryGit(engine, place);
    const gone = attempt?.state === "removed" ? await removeBranch(context, { ...place, attempt }) : null;
    if (gone?.isErr()) engine.reportFault(`the branch of attempt ${id}`, new Error(gone.error.message));
    const later = new Date(engine.clock.now().getTime() + AGAIN_MS).toISOString();
    await transact(engine.db, async (trx) => {
      const now = await pullRequestOf(trx, id);
      if (now !== null) await savePullRequest(trx, { ...now, lookAt: gone?.isErr() ? later : null });
    });
  });
}
