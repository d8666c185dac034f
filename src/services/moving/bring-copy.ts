/** Brings what the depot has of an attempt into the clone of this worker, before its run is taken over. */
import { err, ok, type Result } from "neverthrow";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Run } from "../../domain/run/run.ts";
import type { GitContext, Uses } from "../core/context-parts.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import { type NewestCopy, withCopy } from "../depot/fetch-protected.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { fetchRepository } from "../repositories/fetch-repository.ts";
import { keepSnapshot } from "../run-core/keep-snapshot.ts";
import { repositoryTarget } from "../run-core/targets.ts";

export type CopyContext = GitContext & Uses<"configuration" | "locks" | "shell" | "ownDepot">;

/** The commit of the copy, and the time up to which it has the edits. */
export interface BroughtCopy {
  readonly commit: string;
  readonly upTo: string;
}

/**
 * Calls `take` once the files are here; they stay if it answers true. The remote is fetched as well: a run may begin at a
 * commit that only the remote has.
 */
export async function bringCopy(
  engine: CopyContext,
  here: { readonly attempt: Attempt; readonly repository: Repository },
  { run, copy }: { readonly run: Run; readonly copy: NewestCopy | null },
  take: (copy: BroughtCopy | null) => Promise<boolean>,
): Promise<Result<void, string>> {
  const { attempt, repository } = here;
  const context = await loadRepositoryGit(engine, here);
  const fetched = run.offline ? ok(undefined) : await fetchRemote(context, repository);
  if (fetched.isErr()) return err(fetched.error);
  if (copy === null) return ok(void (await take(null)));
  const target = repositoryTarget(repository);
  const { commit, at: upTo } = copy;
  return withCopy(context, { copy, attempt: attempt.id, repository }, async () => {
    if (!(await take({ commit, upTo }))) return ok(undefined);
    const kept = await keepSnapshot(context, { attempt }, { reason: "moved", commit, target });
    return kept.map(() => undefined).mapErr(({ message }) => message);
  });
}

async function fetchRemote(context: CopyContext, repository: Repository): Promise<Result<void, string>> {
  const configuration = await context.configuration(repository, {});
  if (configuration.isErr()) return err(configuration.error.message);
  const remotes = await remotesOf(context, {
    commonDir: repository.commonDir,
    configuration: configuration.value,
  });
  if (remotes.isErr()) return err(remotes.error.message);
  const from = { remote: remotes.value?.fetch ?? null, signal: context.engineStop };
  const fetched = await fetchRepository(context, repository, from);
  return fetched.mapErr(({ message }) => message);
}
