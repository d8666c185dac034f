/** Lets the forge of a pull request be asked soon, since something happened that it may tell of. */
import type { Tracked } from "../../domain/pull-request/tracked.ts";
import { pullRequestOf, savePullRequest, watchedPullRequests } from "../../storage/tables/pull-requests.ts";
import { getRun } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";

type SoonContext = Uses<"db" | "clock" | "forgeNews">;

/** However often something happens, a forge is not asked more often than this about one pull request. */
const PAUSE_MS = 5_000;

/** After a run, or for those on repositories of these names; a name that nobody follows means all. */
export async function lookSoon(
  context: SoonContext,
  which: { readonly run: string } | { readonly repositories: readonly string[] },
): Promise<void> {
  const watched =
    "run" in which ? await ofRun(context, which.run) : await ofRepositories(context, which.repositories);
  if (watched.length === 0) return;
  await transact(context.db, async (trx) => {
    for (const { attemptId } of watched) {
      const tracked = await pullRequestOf(trx, attemptId);
      if (tracked !== null && tracked.lookAt !== null)
        await savePullRequest(trx, { ...tracked, lookAt: soon(context, tracked), quiet: 0 });
    }
  });
  context.forgeNews.notify();
}

/** Never earlier than the forge allows. */
function soon({ clock }: Uses<"clock">, { lookedAt, trouble }: Tracked): string {
  const after = lookedAt === null ? 0 : Date.parse(lookedAt) + PAUSE_MS;
  const allowed = trouble?.resumeAt == null ? 0 : Date.parse(trouble.resumeAt);
  return new Date(Math.max(clock.now().getTime(), after, allowed)).toISOString();
}

async function ofRun({ db }: Uses<"db">, runId: string): Promise<readonly Tracked[]> {
  const run = await getRun(db.reader, runId);
  const tracked = run === null ? null : await pullRequestOf(db.reader, run.attemptId);
  return tracked === null || tracked.lookAt === null ? [] : [tracked];
}

async function ofRepositories({ db }: Uses<"db">, names: readonly string[]): Promise<readonly Tracked[]> {
  const watched = await watchedPullRequests(db.reader);
  const named = watched.filter(({ repository }) => names.includes(repository.toLowerCase()));
  return named.length > 0 ? named : watched;
}
