/** Tells which commit of an attempt its remote has; refuses what is not pushed yet. */
import { err, ok, type Result } from "neverthrow";
import { readRef } from "../../git/refs/refs.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { isPublished } from "../attempts/published.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { configurationRefusal, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { withRepositoryGit } from "../core/repository-git.ts";
import { refuseHeldBack } from "../requests/held-back.ts";
import { repositoryTarget } from "../run-core/targets.ts";

/** The tip of the branch, else the newest commit of its runs. */
export async function pushedCommit(
  engine: Uses<"db" | "git" | "configuration">,
  { attempt, task, repository }: AttemptPlace,
): Promise<Result<string, Refusal>> {
  const loaded = await engine.configuration(repository, task.settings);
  if (loaded.isErr()) return err(configurationRefusal(loaded.error));
  const configuration = loaded.value;
  const context = withRepositoryGit(engine, { repository, configuration });
  const runs = await runsOfAttempt(engine.db.reader, attempt.id);
  const tip = await readRef(
    context.git,
    repositoryTarget(repository),
    `refs/heads/${attempt.branch}^{commit}`,
  );
  const sha = tip.unwrapOr(null) ?? runs.findLast(({ commit }) => commit !== null)?.commit ?? null;
  const id = shortId(attempt.id);
  if (sha === null || sha === attempt.base.sha)
    return err(
      refuse("conflict", "nothing_to_push", "The attempt has no commit of its own yet.", {
        remedy: `Let the agent work first: \`tazuna continue ${id} "Go on"\`.`,
      }),
    );
  const published = await isPublished(context, { repository, configuration, branch: attempt.branch, sha });
  if (published.isErr())
    return err(
      refuse("failed", "git_failed", published.error.message, { remedy: "`tazuna doctor` says more." }),
    );
  if (published.value) return ok(sha);
  return err(refuseHeldBack(runs) ?? notPushed(id, attempt.branch));
}

/** Nobody pushes at a forge's wish: what is held back stays so until a person says otherwise. */
export function notPushed(id: string, branch: string): Refusal {
  return refuse("conflict", "not_pushed", `The remote does not have what is on ${branch}.`, {
    remedy: `\`tazuna publish ${id}\` pushes it; then \`tazuna pr ${id}\` again.`,
  });
}
