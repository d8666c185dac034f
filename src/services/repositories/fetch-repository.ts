/** Brings the remote's state into the repository, one fetch for all who wait for it. */
import { ok, type Result } from "neverthrow";
import type { Repository } from "../../domain/repository/repository.ts";
import { fetchRemote } from "../../git/fetch.ts";
import type { Remote } from "../../git/remote.ts";
import type { RemoteError } from "../../git/remote-error.ts";
import type { ServiceContext } from "../context.ts";
import { journaled } from "../journal.ts";
import { repositoryTarget } from "../worktrees/targets.ts";
import { untilStopped } from "./until-stopped.ts";

/**
 * `git fetch REMOTE --prune`; serves every caller that asked before it began. Null as remote is nothing to do. `signal`
 * ends the waiting, and the fetch itself once nobody waits for it.
 */
export async function fetchRepository(
  context: ServiceContext,
  repository: Repository,
  of: { readonly remote: Remote | null; readonly signal: AbortSignal },
): Promise<Result<void, RemoteError>> {
  const { remote, signal } = of;
  if (remote === null) return ok(undefined);
  const fetched = context.locks.fetchOnce(repository.commonDir, {
    key: remote.name,
    signal,
    fetch: (gone) =>
      journaled(
        context,
        {
          kind: "fetch",
          subject: { type: "repository", id: repository.id },
          before: { remote: remote.name },
        },
        () => fetchRemote(context.git, repositoryTarget(repository), remote, { signal: gone }),
        () => ({ remote: remote.name }),
      ),
  });
  return untilStopped(signal, fetched);
}
